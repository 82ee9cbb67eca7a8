// The inspector shows every attempt of an update_balance: through the fast path, the router and the panel.
import type { AddressInfo } from 'node:net';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { createAttemptRecorder } from '../../src/transactions/record-attempts.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let program: Send;
let person: Send;
let origin: string;

beforeAll(async () => {
  const deps = (defaults: WalletDeps) => ({ ...defaults, logEveryMs: 20 });
  given = await givenWallet({}, {}, undefined, { deps });
  owner = await given.package({ credit: '100.00' });
  program = (await giveProgram(given)).send;
  person = (await giveMember(given, owner, 'owner')).send;
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(given.app.server.address() as AddressInfo).port}`;
});

afterAll(() => given.close());

const path = '/api/v1/user/update_balance';
const headers = () => ({ ...owner.headers, 'content-type': 'application/json' });

const ways = {
  'fast path': async (body: object) => {
    const sent = { method: 'POST', headers: headers(), body: JSON.stringify(body) };
    return (await fetch(`${origin}${path}`, sent)).status;
  },
  router: async (body: object) => {
    const sent = { method: 'POST', url: path, headers: headers(), payload: body } as const;
    return (await given.app.inject(sent)).statusCode;
  },
  panel: async (body: object) =>
    (await person('POST', `/panel/packages/${owner.id}/player/adjust`, body)).status,
};

/** The client address that is recorded for orders from the fast path, the router and the panel. */
const addresses = { 'fast path': '127.0.0.1', router: '127.0.0.1', panel: '10.7.7.7' };

interface Attempt {
  readonly space: string;
  readonly outcome: string;
  readonly action: string;
  readonly status: number;
  readonly code: string | null;
  readonly result: string | null;
  readonly field: string | null;
  readonly player_id: string;
  readonly address: string;
  readonly attempts: number;
}

const inspect = async (id: string) => {
  const { body } = await program('GET', `/admin/v1/packages/${owner.id}/transactions/${id}`);
  return {
    deliveries: body.data?.deliveries ?? [],
    attempts: (body.data?.attempts ?? []) as Attempt[],
  };
};

/** Waits until this number of attempts is stored, because attempts are written after the answer. */
const waitFor = (id: string, count: number) =>
  eventually(async () => {
    const found = await inspect(id);
    const sum = found.attempts.reduce((all, { attempts }) => all + attempts, 0);
    expect(sum).toBe(count);
    return found;
  });

const summarize = ({ outcome, status, code, result, field }: Attempt) => [
  outcome,
  status,
  code,
  result,
  field,
];

describe.each(['fast path', 'router', 'panel'] as const)('orders through the %s', (way) => {
  const send = ways[way];

  it('repeats are counted, and a conflict names the field that differs', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const id = `copied-${way[0]}`;
    const body = { player_id: player, type: 'credit', amount: 1, transaction_id: id };
    expect([await send(body), await send(body), await send(body)]).toEqual([200, 200, 200]);
    expect(await send({ ...body, amount: 2 })).toBe(409);
    expect(await send({ ...body, type: 'debit' })).toBe(409);
    const { deliveries, attempts } = await waitFor(id, 4);
    expect(deliveries).toMatchObject([{ space: 'caller', kind: 'credit', result: 'applied' }]);
    expect(attempts.map(summarize).sort()).toEqual(
      [
        ...attempts
          .filter(({ outcome }) => outcome === 'repeated')
          .map(() => ['repeated', 200, null, 'applied', null]),
        ['refused', 409, 'transaction_conflict', null, 'amount'],
        ['refused', 409, 'transaction_conflict', null, 'type'],
      ].sort(),
    );
    for (const each of attempts) {
      expect(each).toMatchObject({ space: 'caller', player_id: player, address: addresses[way] });
    }
  });

  it('a final refusal is in the journal once, and its repeats are in the transfer log', async () => {
    const player = await given.player(owner, { balance: '1.00' });
    const id = `dear-${way[0]}`;
    const body = { player_id: player, type: 'debit', amount: 9, transaction_id: id };
    expect([await send(body), await send(body)]).toEqual([422, 422]);
    const { deliveries, attempts } = await waitFor(id, 1);
    expect(deliveries).toMatchObject([{ result: 'insufficient_funds' }]);
    expect(attempts.map(summarize)).toEqual([
      ['refused', 422, 'insufficient_funds', 'insufficient_funds', null],
    ]);
  });

  it('a refusal before the order reaches the ledger is in the transfer log, not in the journal', async () => {
    const id = `early-${way[0]}`;
    const body = { player_id: `nobody-${way[0]}`, type: 'credit', amount: 1, transaction_id: id };
    expect(await send(body)).toBe(404);
    expect(await send({ ...body, amount: '1.001' })).toBe(400);
    const { deliveries, attempts } = await waitFor(id, 2);
    expect(deliveries).toEqual([]);
    expect(attempts.map(({ code }) => code).sort()).toEqual(['invalid_amount', 'player_not_found']);
  });
});

it('repeated attempts become one line; after 2,000 attempts, further attempts are only counted', async () => {
  const { logger } = captureLog('wallet');
  const registry = createMetrics('storm');
  // With this interval the recorder writes only when the test calls `flush`.
  const terms = { logDays: 30, everyMs: 3_600_000 };
  const recorder = createAttemptRecorder({ db: given.db, logger, registry, ...terms });
  const attempt = {
    packageId: owner.id,
    at: given.clock.now,
    requestId: 'r',
    address: '10.0.0.1',
    type: 'credit',
    playerId: 'p',
    status: 200,
    code: '',
    result: 'applied',
    field: '',
  };
  for (let n = 0; n < 500; n++) recorder.record({ ...attempt, transactionId: 'storm' });
  for (let n = 0; n < 4500; n++) recorder.record({ ...attempt, transactionId: `storm-${n}` });
  await recorder.flush();
  const { rows } = await given.db.query<{ lines: bigint; attempts: bigint }>(
    `select count(*) as lines, sum(attempts) as attempts from transfer_log
     where package_id = $1 and transaction_id like 'storm%'`,
    [owner.id],
  );
  expect(rows).toEqual([{ lines: 1501n, attempts: 2000n }]);
  expect(await registry.metrics()).toMatch(/^transfer_log_dropped_total\{.*\} 3000$/m);
  expect((await inspect('storm')).attempts).toMatchObject([{ outcome: 'repeated', attempts: 500 }]);
  await recorder.close();
});

it('members see the attempts of their own package, and not those of another package', async () => {
  const other = await given.package();
  const stranger = await giveMember(given, other, 'owner');
  const member = await giveMember(given, owner, 'member');
  const player = await given.player(owner, { balance: '5.00' });
  const body = { player_id: player, type: 'credit', amount: 1, transaction_id: 'whose' };
  await ways['fast path'](body);
  await ways['fast path'](body);
  await waitFor('whose', 1);
  const own = await member.send('GET', `/panel/packages/${owner.id}/transactions/whose`);
  expect(own.body.data.attempts).toHaveLength(1);
  const theirs = await stranger.send('GET', `/panel/packages/${other.id}/transactions/whose`);
  expect([theirs.status, theirs.body.code]).toEqual([404, 'transaction_not_found']);
});
