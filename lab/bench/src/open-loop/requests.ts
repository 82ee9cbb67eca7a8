// The requests of the generator. The number of a request determines its content.
import { namePlayer } from '../growth/fill-ledger.ts';

export interface RequestPlan {
  /** The request headers of each package. */
  readonly packages: readonly Readonly<Record<string, string>>[];
  readonly players: number;
  readonly digits: number;
  readonly tag: string;
  /**
   * The share of requests that go to one player (`what: 'player'`) or to the first package (`what:
   * 'package'`).
   */
  readonly hot?: { readonly what: 'player' | 'package'; readonly part: number };
  /** The share of requests that read a balance. */
  readonly readPart?: number;
}

export interface PlannedRequest {
  readonly text: string;
  /** The group in which the latency of the request is counted. */
  readonly group: 'hot' | 'other' | 'read';
}

/**
 * Returns a number between 0 and 1. The numbers for 0, 1, 2 … are evenly spread, because they are the
 * fractional parts of multiples of the golden ratio.
 */
const spread = (n: number): number => (n * 0.618_033_988_749_895) % 1;

export const nameRequest = (tag: string, n: number): string => `bench-${tag}-${String(n).padStart(9, '0')}`;

export function planRequests(host: string, plan: RequestPlan): (n: number) => PlannedRequest {
  const { packages, players, digits, tag, hot, readPart = 0 } = plan;
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries({ host, ...headers })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  const posts = packages.map(
    (headers) => `POST /api/v1/user/update_balance HTTP/1.1\r\n${lines(headers)}content-length: `,
  );
  const gets = packages.map((headers) => `HTTP/1.1\r\n${lines(headers)}\r\n`);
  return (n) => {
    const isHot = hot !== undefined && spread(n) < hot.part;
    const index = isHot && hot.what === 'package' ? 0 : n % packages.length;
    const round = Math.floor(n / packages.length);
    const player = isHot && hot.what === 'player' ? 42 % players : (round * 7919) % players;
    const name = namePlayer(player, digits);
    if (readPart > 0 && spread(n + 0.5) < readPart) {
      return { group: 'read', text: `GET /api/v1/user/balance?player_id=${name} ${gets[index]}` };
    }
    const type = Math.floor(n / 3) % 2 === 0 ? 'credit' : 'debit';
    const body =
      `{"player_id":"${name}","type":"${type}","amount":1.25,` + `"transaction_id":"${nameRequest(tag, n)}"}`;
    const text = `${posts[index]}${body.length}\r\n\r\n${body}`;
    return { group: isHot ? 'hot' : 'other', text };
  };
}
