// Answers that are lost after the commit: the client retries with the same id, and the money moves once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../../services/wallet/server/test/environment/given.ts';
import { failureOf } from '../../sdk-shared/test/client-calls.ts';
import { type CuttingProxy, type Outcome, openCuttingProxy } from '../../sdk-shared/test/cutting-proxy.ts';
import { createWallet, type Wallet, type WalletOptions } from '../src/index.ts';

let given: Given;
let proxy: CuttingProxy;
let owner: GivenPackage;
let wallet: Wallet;
let player: string;

beforeAll(async () => {
  given = await givenWallet();
  proxy = await openCuttingProxy(await given.app.listen({ host: '127.0.0.1', port: 0 }));
  owner = await given.package();
  wallet = open();
});
beforeEach(async () => {
  proxy.outcomes = [];
  proxy.seen.length = 0;
  player = await given.player(owner);
});
afterAll(async () => {
  await proxy.close();
  await given.close();
});

const open = (more: Partial<WalletOptions> = {}): Wallet =>
  createWallet({
    baseUrl: proxy.url,
    uid: owner.uid,
    apiKey: owner.caller.apiKey,
    apiSecret: owner.caller.apiSecret,
    backoffMs: 1,
    timeoutMs: 600_000,
    deadlineMs: 600_000,
    ...more,
  });

/**
 * Reads the balance. First removes the faults that the proxy would still simulate, so that the read succeeds.
 */
const balanceOf = async (playerId: string) => {
  proxy.outcomes = [];
  return (await wallet.getBalance({ player_id: playerId })).data.balance;
};
const sentIds = () =>
  new Set(proxy.seen.map(({ body }) => (JSON.parse(body) as Record<string, unknown>).transaction_id));

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Outcome => ({
  status,
  headers,
  body: {
    status: 'error',
    code,
    msg: 'Sent by the proxy',
    request_id: 'req_x',
    retryable: status === 503 || status === 429,
  },
});

describe('a call that is retried with the same id', () => {
  it.each<[string, Outcome[]]>([
    ['the connection is cut', ['cut', 'cut']],
    ['the answer breaks off', ['half', 'cut']],
    ['a proxy answers in place of the service', [{ status: 504, body: 'Gateway timeout' }, 'cut']],
    ['the service does not know the outcome', ['cut', refusal(503, 'outcome_unknown')]],
    ['the service is overloaded', [refusal(503, 'overloaded', { 'retry-after': '0' }), 'cut']],
    ['the rate limit is exceeded', [refusal(429, 'rate_limited', { 'retry-after': '0' }), 'half']],
    ['the service has an internal error', ['cut', refusal(500, 'internal_error')]],
  ])('a call with retries moves the money once if %s', async (_title, outcomes) => {
    proxy.outcomes = [...outcomes];
    const answer = await wallet.credit({ player_id: player, amount: '5.00' });
    expect(answer.data).toMatchObject({ balance: '5', amount: '5' });
    expect(proxy.seen).toHaveLength(outcomes.length + 1);
    expect(sentIds()).toEqual(new Set([answer.data.transaction_id]));
    expect(await balanceOf(player)).toBe('5');
  });

  it('a retried call moves the money once if its first attempt timed out', async () => {
    proxy.outcomes = ['hang'];
    // On a slow machine later attempts may time out too. The test therefore allows a large number of
    // attempts.
    const patient = open({ timeoutMs: 300, maxAttempts: 100 });
    const answer = await patient.credit({ player_id: player, amount: '3' });
    expect(answer.data).toMatchObject({ duplicate: true, balance: '3' });
    expect(await balanceOf(player)).toBe('3');
  });
});

describe('a call without an answer', () => {
  it('the error after a lost answer contains the id, by which `resolve` finds the outcome', async () => {
    proxy.outcomes = ['cut', 'cut', 'cut'];
    const call = open({ maxAttempts: 3 }).credit({ player_id: player, amount: '7' });
    const error = await failureOf(call);
    expect(error).toMatchObject({ code: 'network_error', outcome: 'unknown', retryable: true });
    expect(error.attempts).toBe(3);
    const { transactionId = '' } = error;
    expect(await wallet.resolve(transactionId)).toMatchObject({
      outcome: 'applied',
      transaction: { amount: '7', balance: '7' },
    });
    expect(await wallet.resolve('never-sent')).toEqual({ outcome: 'unknown' });
  });

  it('the error has the outcome `applied` if a success response broke off', async () => {
    proxy.outcomes = ['half'];
    const error = await failureOf(open({ maxAttempts: 1 }).credit({ player_id: player, amount: '7' }));
    expect(error).toMatchObject({ outcome: 'applied', retryable: true });
    expect(await balanceOf(player)).toBe('7');
  });

  it('the outcome of a call stays unknown if a later attempt is refused with 401', async () => {
    proxy.outcomes = ['cut', refusal(401, 'auth_invalid')];
    const error = await failureOf(wallet.credit({ player_id: player, amount: '7' }));
    expect(error).toMatchObject({ outcome: 'unknown', transactionId: expect.any(String) });
    expect(await balanceOf(player)).toBe('7');
  });

  it('the error has the outcome `not_applied` if the retry is refused for insufficient funds', async () => {
    proxy.outcomes = ['cut'];
    const error = await failureOf(wallet.debit({ player_id: player, amount: '7' }));
    expect(error).toMatchObject({
      code: 'insufficient_funds',
      outcome: 'not_applied',
      attempts: 2,
    });
  });

  it('the call fails without a retry if the next wait would exceed the deadline', async () => {
    proxy.outcomes = [refusal(503, 'overloaded', { 'retry-after': '60' })];
    const hurried = open({ deadlineMs: 59_000 });
    const error = await failureOf(hurried.credit({ player_id: player, amount: '7' }));
    expect(error).toMatchObject({ outcome: 'not_applied', retryable: true, retryAfterMs: 60_000 });
    expect(error.attempts).toBe(1);
    expect(proxy.seen).toHaveLength(1);
  });

  it('one deadline applies to all attempts of a call together', async () => {
    proxy.outcomes = Array.from({ length: 50 }, () => 'hang' as const);
    const limits = { timeoutMs: 100, deadlineMs: 350, maxAttempts: 50 };
    const error = await failureOf(open(limits).credit({ player_id: player, amount: '7' }));
    expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown' });
    expect(error.attempts).toBeLessThanOrEqual(4);
    // If the proxy has received no attempt, no money has moved. An attempt that the proxy receives after this
    // check is not checked.
    const isMoved = () => proxy.seen.some(({ method }) => method === 'POST');
    await expect.poll(async () => (await balanceOf(player)) === (isMoved() ? '7' : '0')).toBe(true);
  });

  it('the error after an abort states whether the call may have been applied', async () => {
    const before = await failureOf(
      wallet.credit({ player_id: player, amount: '7' }, { signal: AbortSignal.abort() }),
    );
    expect(before).toMatchObject({ code: 'aborted', outcome: 'not_applied' });
    expect(proxy.seen).toEqual([]);
    proxy.outcomes = ['hang'];
    const giveUp = new AbortController();
    const call = wallet.credit({ player_id: player, amount: '7' }, { signal: giveUp.signal });
    await expect.poll(() => proxy.seen.length).toBe(1);
    giveUp.abort();
    expect(await failureOf(call)).toMatchObject({ code: 'aborted', outcome: 'unknown' });
  });
});

it('a game launch is retried only if it is certain that no session was opened', async () => {
  const launch = () => wallet.launchGame({ player_id: player, game_id: 'moon' });
  proxy.outcomes = ['cut'];
  expect(await failureOf(launch())).toMatchObject({ outcome: 'unknown', attempts: 1 });
  proxy.outcomes = [refusal(503, 'upstream_unavailable'), refusal(403, 'game_unavailable')];
  expect(await failureOf(launch())).toMatchObject({ code: 'game_unavailable', attempts: 2 });
});
