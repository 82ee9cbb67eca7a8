// An update_balance whose deadline passes before it reaches the ledger is never submitted to the ledger.
import type { AddressInfo } from 'node:net';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram } from '../environment/people.ts';

const path = '/api/v1/user/update_balance';
let given: Given;
let owner: GivenPackage;
let origin: string;
/** If set, look-ups of accounts wait for this promise. */
let latch: Promise<void> | undefined;
let lookUps = 0;
let lookedUp = 0;

/** Gives the service a deadline of 5 s, and makes its account look-ups wait for the latch. */
function holdLookUps(deps: WalletDeps): WalletDeps {
  const query: Queryable['query'] = async (request, values) => {
    const isLookUp = typeof request !== 'string' && request.name === 'select_accounts_of_players';
    if (isLookUp) {
      lookUps++;
      await latch;
    }
    const found = await deps.db.query(request, values);
    if (isLookUp) lookedUp++;
    return found as never;
  };
  return { ...deps, db: { ...deps.db, query }, answerWithinMs: 5000, logEveryMs: 20 };
}

beforeAll(async () => {
  given = await givenWallet({}, {}, undefined, { deps: holdLookUps });
  owner = await given.package({ credit: '100.00' });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(given.app.server.address() as AddressInfo).port}`;
  // Caches the package, so that the deadline passes during the look-up of the account.
  await given.app.inject({ url: '/api/v1/user/list', headers: owner.headers });
});

afterAll(() => given.close());

const headers = () => ({ ...owner.headers, 'content-type': 'application/json' });

const ways = {
  'fast path': async (body: object) => {
    const sent = { method: 'POST', headers: headers(), body: JSON.stringify(body) };
    return (await (await fetch(`${origin}${path}`, sent)).json()) as Record<string, unknown>;
  },
  router: async (payload: object) => {
    const sent = { method: 'POST', url: path, headers: headers(), payload } as const;
    return (await given.app.inject(sent)).json() as Record<string, unknown>;
  },
};

const countMovements = async (id: string) => {
  const { rows } = await given.db.query<{ count: bigint }>(
    'select count(*) as count from journal where package_id = $1 and transaction_id = $2',
    [owner.id, id],
  );
  return Number(rows[0]?.count);
};

it.each(['fast path', 'router'] as const)(
  'on the %s an order is not applied after its deadline, and its id is not used up',
  async (way) => {
    const player = await given.player(owner, { balance: '5.00' });
    let release = () => {};
    latch = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(() => release());
    const [before, after] = [lookUps, lookedUp];
    const order = (transaction_id: string) => ({
      player_id: player,
      type: 'credit',
      amount: 1,
      transaction_id,
    });
    let id = '';
    // On a busy machine, the deadline may pass before the look-up. The test then sends another order.
    for (let attempt = 1; lookUps === before; attempt++) {
      id = `late-${way.replace(' ', '-')}-${attempt}`;
      const answer = await ways[way](order(id));
      expect(answer).toMatchObject({ status: 'error', code: 'outcome_unknown', retryable: true });
    }
    const { orders } = given.ledger.counters;
    release();
    latch = undefined;
    await eventually(() => expect(lookedUp - after).toBe(lookUps - before));
    // This order is submitted later and is answered. If the late order had been submitted, it would be
    // written before this order.
    await given.player(owner, { balance: '1.00' });
    expect(given.ledger.counters.orders).toBe(orders + 1);
    expect(await countMovements(id)).toBe(0);
    const { send } = await giveProgram(given);
    await eventually(async () => {
      const found = await send('GET', `/admin/v1/packages/${owner.id}/transactions/${id}`);
      const codes = found.body.data?.attempts.map((each: { code: string }) => each.code);
      expect(codes).toEqual(['outcome_unknown']);
    });
    await eventually(async () => expect(await ways[way](order(id))).toMatchObject({ data: { balance: 6 } }));
    expect(await countMovements(id)).toBe(1);
  },
);
