// @counterfoil/wallet with the running service: every operation and every kind of failure.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../../services/wallet/server/test/environment/given.ts';
import { givenProvider, type Provider } from '../../../services/wallet/server/test/environment/provider.ts';
import { failureOf, patient } from '../../sdk-shared/test/client-calls.ts';
import { type CuttingProxy, closedAddress, openCuttingProxy } from '../../sdk-shared/test/cutting-proxy.ts';
import { createWallet, type Wallet, type WalletOptions } from '../src/index.ts';

let provider: Provider;
let given: Given;
let proxy: CuttingProxy;
let owner: GivenPackage;
let wallet: Wallet;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet({ ...provider.env, AUTH_FAILURES_PER_MINUTE: '0' });
  proxy = await openCuttingProxy(await given.app.listen({ host: '127.0.0.1', port: 0 }));
  owner = await given.package();
  wallet = open();
});
beforeEach(() => {
  proxy.outcomes = [];
  proxy.seen.length = 0;
});
afterAll(async () => {
  await proxy.close();
  await given.close();
  await provider.close();
});

const open = (more: Partial<WalletOptions> = {}): Wallet =>
  createWallet({
    baseUrl: proxy.url,
    uid: owner.uid,
    apiKey: owner.caller.apiKey,
    apiSecret: owner.caller.apiSecret,
    backoffMs: 1,
    ...patient,
    ...more,
  });

const balanceOf = async (playerId: string) => (await wallet.getBalance({ player_id: playerId })).data.balance;

describe('every operation of the wallet client', () => {
  it('the client creates a player once, and lists, blocks and reads players', async () => {
    const made = await wallet.createPlayer({ player_id: 'ana', name: 'Ana', metadata: { vip: 1 } });
    expect(made.data).toMatchObject({ player_id: 'ana', created: true, balance: '0' });
    const again = await wallet.createPlayer({ player_id: 'ana' });
    expect(again.data).toMatchObject({ name: 'Ana', created: false });
    const listed = await wallet.listPlayers({ search: 'an', limit: 1 });
    expect(listed.data.players.map((player) => player.player_id)).toEqual(['ana']);
    const blocked = await wallet.setPlayerStatus({ player_id: 'ana', status: 'blocked' });
    expect(blocked.data.status).toBe('blocked');
    const read = await wallet.getBalance({ player_id: 'ana' });
    expect(read).toMatchObject({ data: { balance: '0', status: 'blocked' }, credit_alert: null });
  });

  it('the client sends and returns exact decimals, and generates a missing transaction id', async () => {
    const player = await given.player(owner);
    const credited = await wallet.credit({ player_id: player, amount: '0.07' });
    expect(credited.data).toMatchObject({ amount: '0.07', balance: '0.07', duplicate: false });
    const id = credited.data.transaction_id;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const more = { player_id: player, amount: '19.99', transaction_id: 'order-1', note: 'top-up' };
    expect((await wallet.updateBalance({ ...more, type: 'credit' })).data.balance).toBe('20.06');
    const debited = await wallet.debit({ player_id: player, amount: '20.05' });
    expect(debited.data).toMatchObject({ balance_before: '20.06', balance: '0.01' });
    const found = await wallet.getTransaction({ transaction_id: id });
    expect(found.data).toMatchObject({ result: 'applied', amount: '0.07' });
    const page = await wallet.listTransactions({ player_id: player, limit: 2 });
    expect(page.data.transactions.map((line) => line.change)).toEqual(['-20.05', '19.99']);
    const cursor = page.data.next_cursor ?? '';
    const rest = await wallet.listTransactions({ player_id: player, cursor });
    expect(rest.data.transactions.map((line) => line.amount)).toEqual(['0.07']);
  });

  it('the client reads the package, and the first movement of its feed', async () => {
    const { data } = await wallet.getPackage();
    expect(data).toMatchObject({ uid: owner.uid, currency: 'EUR', overdraft_limit: '0' });
    const feed = await wallet.listFeed({ after: 0, limit: 1 });
    expect(feed.data.movements[0]).toMatchObject({ sequence: 1, credit_change: '1000' });
    expect(feed.data).toMatchObject({ next_after: 1, has_more: true });
  });

  it('the client lists and launches a game and ends its session; an unknown round is not found', async () => {
    const player = await given.player(owner, { balance: '1.50' });
    const { data } = await wallet.listGames({ limit: 2 });
    expect(data).toMatchObject({ total: 3, source: 'private' });
    const game = data.games[0]?.game_id ?? '';
    const launched = await wallet.launchGame({ player_id: player, game_id: game });
    expect(launched.data).toMatchObject({ game_id: game, balance: '1.5' });
    const { session_id } = launched.data;
    expect((await wallet.endSession({ session_id })).data.state).toBe('ended');
    const error = await failureOf(wallet.getRound({ round_id: 'none' }));
    expect(error).toMatchObject({ code: 'round_not_found', status: 404, attempts: 1 });
  });
});

describe('a failed call of the wallet client', () => {
  it('the error for insufficient funds is final and has the balance as text', async () => {
    const player = await given.player(owner, { balance: '1.25' });
    const error = await failureOf(wallet.debit({ player_id: player, amount: '2' }));
    expect(error).toMatchObject({ code: 'insufficient_funds', status: 422, retryable: false });
    expect(error).toMatchObject({ outcome: 'not_applied', attempts: 1, data: { balance: '1.25' } });
    const { transactionId = '' } = error;
    expect(await wallet.resolve(transactionId)).toMatchObject({
      outcome: 'not_applied',
      code: 'insufficient_funds',
    });
  });

  it('a call that repeats a transaction id with a different amount moves no money', async () => {
    const player = await given.player(owner);
    const first = { player_id: player, amount: '1', transaction_id: 'twice' };
    await wallet.credit(first);
    const error = await failureOf(wallet.credit({ ...first, amount: '2' }));
    expect(error).toMatchObject({ code: 'transaction_conflict', outcome: 'not_applied' });
    expect(await balanceOf(player)).toBe('1');
  });

  it('a call with a number as amount is not sent; an error of the service names the parameter', async () => {
    const float = { player_id: 'p', amount: 0.1 as unknown as string };
    expect(await failureOf(wallet.credit(float))).toMatchObject({
      code: 'invalid_amount',
      outcome: 'not_applied',
      attempts: 0,
    });
    expect(proxy.seen).toEqual([]);
    const error = await failureOf(wallet.credit({ player_id: '', amount: '1' }));
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 400 });
    expect(Object.keys(error.fields)).toEqual(['player_id']);
    expect(error.requestId).toMatch(/^req_/);
  });

  it('a call with wrong credentials is not retried, and errors contain no credentials', async () => {
    const error = await failureOf(open({ apiSecret: 'gps_wrong' }).getPackage());
    expect(error).toMatchObject({ code: 'auth_invalid', status: 401, attempts: 1 });
    const baseUrl = closedAddress;
    const unsent = open({ baseUrl }).credit({ player_id: 'p', amount: '1' });
    const nowhere = await failureOf(unsent);
    expect(nowhere).toMatchObject({ code: 'network_error', outcome: 'not_applied', attempts: 5 });
    const texts = [error, nowhere].map((each) => JSON.stringify(each) + each.stack + each.cause);
    for (const secret of ['gps_wrong', owner.caller.apiKey, owner.caller.apiSecret]) {
      expect(texts.join() + JSON.stringify(wallet)).not.toContain(secret);
    }
    expect(() => open({ apiSecret: 'gps_with\nnewline' })).toThrow(/^x-api-secret must be/);
    expect(() => open({ baseUrl: 'https://me:pass@wallet.example' })).toThrow(/^baseUrl must/);
  });

  it('the client follows no redirect, and repeats a read that a proxy answered with an error', async () => {
    const player = await given.player(owner);
    const moved = { status: 302, body: '', headers: { location: proxy.url } };
    proxy.outcomes = [moved];
    const error = await failureOf(wallet.credit({ player_id: player, amount: '1' }));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown', attempts: 1 });
    proxy.outcomes = [{ status: 502, body: '<h1>Bad gateway</h1>' }];
    expect((await wallet.getPackage()).data.uid).toBe(owner.uid);
  });
});
