// A wallet service with one package per slot, and plain requests of programs.
import fc, { type Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { type GivenPackage, givenWallet } from '../../../../services/wallet/server/test/environment/given.ts';
import type { Requests } from './conversations.ts';
import { type ComparedService, observe, readRequestCounts, slots } from './socket-service.ts';

const number = fc.nat({ max: 12 });
const amount = fc.constantFrom(1, 1, 2, 3.5, '4.20', 0, -1, 0.001, 10 ** 7);
const json = (body: object) => JSON.stringify(body);

/** Bodies that the fast path leaves to the router. */
const odd = fc.constantFrom('', '{', '[]', 'null', '{"player_id":1}', `{"note":"${'x'.repeat(700)}"}`);

const orders = (player: string): Arbitrary<string> =>
  fc
    .record({
      player_id: fc.constant(player),
      type: fc.constantFrom('credit', 'credit', 'debit'),
      amount,
      transaction_id: number.map((id) => `t-${player}-${id}`),
      note: fc.constantFrom(undefined, undefined, 'plain', 'Zo\xeb'),
    })
    .map(json);

const callbacks = (player: string): Arbitrary<string> =>
  fc
    .record({
      action: fc.constantFrom('balance', 'bet', 'bet', 'win', 'rollback', 'end_round', 'dance'),
      player_id: fc.constant(player),
      amount,
      transaction_id: number.map((id) => `c-${player}-${id}`),
      reference_transaction_id: fc.option(
        number.map((id) => `c-${player}-${id}`),
        { nil: undefined },
      ),
      round_id: fc.constantFrom('1', '2').map((round) => `r-${player}-${round}`),
      round_finished: fc.constantFrom(undefined, undefined, true),
    })
    .map(json);

/** A plain request of a program with these credentials. */
function makeRequests(headers: Readonly<Record<string, string>>, player: string): Requests {
  const heads = Object.entries(headers).map((each) => each.join(': '));
  const lines = ['Host: x', 'Content-Type: application/json', ...heads, 'Content-Length: #'];
  const post = (operation: string, bodies: Arbitrary<string>) => ({
    first: `POST /api/v1/${operation} HTTP/1.1`,
    lines,
    bodies: fc.oneof({ weight: 8, arbitrary: bodies }, { weight: 1, arbitrary: odd }),
  });
  const read = (query: string) =>
    Buffer.from(`GET /api/v1/user/balance?${query} HTTP/1.1\r\nHost: x\r\n${heads.join('\r\n')}\r\n\r\n`);
  const own = `player_id=${player}`;
  return {
    posts: fc.constantFrom(
      post('user/update_balance', orders(player)),
      post('game/callback', callbacks(player)),
    ),
    reads: fc.constantFrom(own, own, own, 'player_id=', 'player_id=nobody').map(read),
    secret: ['x-api-secret', headers['x-api-secret'] ?? ''],
  };
}

/**
 * Opens a wallet with a package and a player per slot. Conversations share no package, because an answer
 * contains the balance of the package.
 */
export async function openWalletService(setting: 'on' | 'off'): Promise<ComparedService> {
  const given = await givenWallet({ SOCKET_FAST_PATH: setting, AUTH_FAILURES_PER_MINUTE: '0' });
  const owners = new Map<string, GivenPackage>();
  for (const player of slots) {
    const owner = await given.package({ credit: '1000000.00' });
    await given.player(owner, { playerId: player, balance: '100.00' });
    // Caches the package and the verified secret. Before that, the router serves the requests.
    await given.app.inject({ url: '/api/v1/package', headers: owner.headers });
    owners.set(player, owner);
  }
  const headersOf = (player: string) => owners.get(player)?.headers ?? {};
  return {
    ...(await observe(given.app)),
    credentials: slots.flatMap((player) => Object.values(headersOf(player))),
    requestsOf: (player) => makeRequests(headersOf(player), player),
    readEffects: async () => {
      const { rows } = await given.db.query(
        `select p.player_id, j.transaction_id, j.kind, j.result, j.amount,
           case when j.debit_account = p.account_id then j.debit_balance else j.credit_balance end as balance
         from players p join journal j on j.package_id = p.package_id
           and p.account_id in (j.debit_account, j.credit_account)
         order by p.player_id, j.sequence`,
      );
      expect(rows.length).toBeGreaterThan(slots.length);
      return { rows, counts: await readRequestCounts(given.app) };
    },
    close: () => given.close(),
  };
}
