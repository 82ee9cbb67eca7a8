// A wrk script for update_balance requests, with new ids or with ids of earlier runs.
import { namePlayer, playerCount } from './dataset.ts';

/** The ids from `bench-<tag>-000000001` to number `count`, which a run has stored. */
export interface StoredIds {
  readonly tag: string;
  readonly count: number;
}

export interface UpdateRequests {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The ids to send, in this order and then again from the start. */
  readonly ids: readonly StoredIds[];
  readonly players: 'all' | 'one';
}

/** Ids that no earlier run has sent. The count is larger than any run needs. */
export const freshIds = (tag: string): StoredIds => ({ tag, count: 999_999_999 });

const quote = (text: string) => JSON.stringify(text);

/**
 * Writes the script for wrk. All ids and player ids have a fixed length, so all requests of a type (credit or
 * debit) have the same headers. The number in an id determines the player and the type, so a repeated id
 * gives the same request.
 */
export function writeUpdateScript({ url, headers, ids, players }: UpdateRequests): string {
  const path = '/api/v1/user/update_balance';
  const idLength = `bench-${ids[0]?.tag}-000000001`.length;
  const write = (type: string) => {
    const start = '{"player_id":"';
    const middle = `","type":"${type}","amount":1.25,"transaction_id":"`;
    const length = start.length + namePlayer(0).length + middle.length + idLength + '"}'.length;
    const fields = { host: new URL(url).host, ...headers, 'content-length': length };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    return { start: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${start}`, middle };
  };
  const [credit, debit] = [write('credit'), write('debit')];
  return `
local runs = { ${ids.map(({ tag, count }) => `{"bench-${tag}-", ${count}}`).join(', ')} }
local starts = { ${quote(credit.start)}, ${quote(debit.start)} }
local middles = { ${quote(credit.middle)}, ${quote(debit.middle)} }
local run, n = 1, 0
function request()
  n = n + 1
  if n > runs[run][2] then
    run = run % #runs + 1
    n = 1
  end
  local kind = math.floor(n / 3) % 2 + 1
  local player = ${players === 'one' ? '42' : `n * 7919 % ${playerCount}`}
  return string.format('%splayer-%05d%s%s%09d"}', starts[kind], player, middles[kind], runs[run][1], n)
end
`;
}
