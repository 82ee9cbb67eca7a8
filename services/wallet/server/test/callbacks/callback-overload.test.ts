// If the ledger is overloaded, a callback is not submitted. It gets the same answer as an update_balance.
import type { AddressInfo } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { callbackHeaders } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram } from '../environment/people.ts';

const paths = { callback: '/api/v1/game/callback', update: '/api/v1/user/update_balance' };
let given: Given;
let owner: GivenPackage;
let player: string;
let origin: string;
let isFull = false;
let submitted = 0;

const fillLedger = (deps: WalletDeps): WalletDeps => ({
  ...deps,
  logEveryMs: 20,
  ledger: {
    ...deps.ledger,
    isFull: (packageId) => isFull || deps.ledger.isFull(packageId),
    submit: (order) => {
      submitted++;
      return deps.ledger.submit(order);
    },
  },
});

beforeAll(async () => {
  given = await givenWallet({}, {}, undefined, { deps: fillLedger });
  owner = await given.package({ credit: '100.00' });
  player = await given.player(owner, { balance: '10.00' });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(given.app.server.address() as AddressInfo).port}`;
  // This call puts the package and the player into the cache.
  expect((await overRouter(bet('first'))).status).toBe(200);
});

afterAll(() => given.close());

const bet = (id: string) => ({
  action: 'bet',
  player_id: player,
  transaction_id: id,
  amount: 1,
});

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Record<string, unknown>;
}

async function overRouter(payload: object): Promise<Answer> {
  const headers = callbackHeaders(owner);
  const sent = { method: 'POST', url: paths.callback, headers, payload } as const;
  const answer = await given.app.inject(sent);
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

async function overSocket(path: string, headers: Record<string, string>, body: object) {
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(origin + path, sent);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: (await answer.json()) as Record<string, unknown>,
  };
}

const listLines = (word: string) => given.logLines.filter((line) => line.includes(word));

it('if the ledger queue is full, fast path and router answer 503 with the last known credit', async () => {
  isFull = true;
  const [before, failedBefore] = [submitted, listLines('"msg":"failed"').length];
  const update = { player_id: player, type: 'credit', amount: 1, transaction_id: 'u' };
  const callers = { ...owner.headers, 'content-type': 'application/json' };
  const wanted = await overSocket(paths.update, callers, update);
  const answers: Answer[] = [];
  for (let n = 0; n < 3; n++) {
    answers.push(await overRouter(bet(`routed-${n}`)));
    answers.push(await overSocket(paths.callback, callbackHeaders(owner), bet(`fast-${n}`)));
  }
  isFull = false;
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toEqual({ ...wanted.body, request_id: headers['x-request-id'] });
  }
  expect(wanted.body).toMatchObject({ code: 'overloaded', package_balance: expect.any(Number) });
  expect(submitted).toBe(before);
  expect(listLines('"msg":"failed"')).toHaveLength(failedBefore);
  const lines = listLines('rejected because of overload').filter((line) => line.includes(paths.callback));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines[0]).toContain('"count":1');
});

it('a callback that a full ledger refuses is not logged, and is applied when it is sent again', async () => {
  isFull = true;
  expect((await overSocket(paths.callback, callbackHeaders(owner), bet('again'))).status).toBe(503);
  const read = { action: 'balance', player_id: player };
  expect((await overSocket(paths.callback, callbackHeaders(owner), read)).status).toBe(200);
  isFull = false;
  for (const duplicate of [false, true]) {
    const again = await overSocket(paths.callback, callbackHeaders(owner), bet('again'));
    expect(again).toMatchObject({ status: 200, body: { data: { duplicate } } });
  }
  const { send } = await giveProgram(given);
  // The repeat was sent after the refused callbacks. So if the log contains only the repeat, the refused
  // callbacks were not logged.
  await eventually(async () => {
    const { data } = (await send('GET', `/admin/v1/packages/${owner.id}/callbacks`)).body;
    expect(data.callbacks).toMatchObject([{ outcome: 'repeated', transaction_id: 'again' }]);
    expect(data.callbacks).toHaveLength(1);
  });
});

it('requests beyond the limit of concurrent requests are refused by the fast path', async () => {
  const update = { player_id: player, type: 'credit', amount: 1, transaction_id: 'beyond' };
  const callers = { ...owner.headers, 'content-type': 'application/json' };
  const { inFlight } = given.app;
  const before = submitted;
  inFlight.count += inFlight.max;
  const failedBefore = listLines('"msg":"failed"').length;
  const answers = [
    await overSocket(paths.update, callers, update),
    await overSocket(paths.callback, callbackHeaders(owner), bet('beyond')),
  ];
  inFlight.count -= inFlight.max;
  for (const { status, body } of answers) {
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'overloaded', package_balance: expect.any(Number) });
  }
  // The router would log each refusal.
  expect(listLines('"msg":"failed"')).toHaveLength(failedBefore);
  expect([submitted, inFlight.count]).toEqual([before, 0]);
  expect((await overSocket(paths.update, callers, update)).status).toBe(200);
});
