// The callback tester calls the real route, and a replay moves no real money.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember } from '../environment/people.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

describe('the callback tester', () => {
  it.each(['headers', 'signed', 'encrypted'] as const)(
    'the tester shows the answer to a valid callback and to each faulty callback (security: %s)',
    async (callbackSecurity) => {
      const owner = await given.package({ callbackSecurity });
      const chief = await giveMember(given, owner, 'owner');
      const playerId = await given.player(owner, { balance: '4.20' });
      const path = `/panel/packages/${owner.id}/callback-test`;
      const test = async (fault: string) =>
        (await chief.send('POST', path, { player_id: playerId, fault })).body.data;
      const right = await test('none');
      const sealed = callbackSecurity === 'headers' ? null : true;
      expect(right).toMatchObject({
        security: callbackSecurity,
        answer: { status: 200, sealed, body: { data: { balance: 4.2 } } },
      });
      expect(JSON.stringify(right)).not.toContain(owner.callback.apiSecret);
      expect((await test('wrong_secret')).answer.status).toBe(401);
      if (callbackSecurity === 'headers') return;
      const code = 'signature_invalid';
      expect((await test('no_seal')).answer).toMatchObject({ status: 401, body: { code } });
      expect((await test('wrong_seal')).answer).toMatchObject({ status: 401, body: { code } });
      const late = (await test('old_seal')).answer;
      expect(late).toMatchObject({ status: 401, body: { code: 'timestamp_out_of_range' } });
    },
  );

  it('only owners can use the callback tester', async () => {
    const owner = await given.package();
    const member = await giveMember(given, owner, 'member');
    const path = `/panel/packages/${owner.id}/callback-test`;
    expect((await member.send('POST', path, { player_id: 'x' })).body.code).toBe('forbidden');
  });
});

describe('a replay of a callback', () => {
  const play = async (owner: GivenPackage, playerId: string) => {
    const provider = createProvider(given, owner);
    const common = { player_id: playerId, round_id: 'r1', game_id: 'moon' };
    const sent = [
      { ...common, action: 'bet', transaction_id: 't1', amount: '1.50' },
      { ...common, action: 'win', transaction_id: 't2', amount: 4, reference_transaction_id: 't1' },
      { ...common, action: 'bet_win', transaction_id: 't3', bet_amount: 1, win_amount: 0.25 },
      { ...common, action: 'bet', transaction_id: 't4', amount: 2 },
      { ...common, action: 'rollback', transaction_id: 't5', reference_transaction_id: 't4' },
      { ...common, action: 'end_round' },
    ];
    for (const body of sent) expect((await provider.send(body)).status).toBe(200);
    return provider;
  };

  it('a replay sends every kind of callback to the sandbox, and does not change the package', async () => {
    const owner = await given.package();
    const chief = await giveMember(given, owner, 'owner');
    const base = `/panel/packages/${owner.id}`;
    const playerId = await given.player(owner, { balance: '10.00' });
    const provider = await play(owner, playerId);
    const none = await chief.send('POST', `${base}/callbacks/replay`, { sequence: 3 });
    expect(none.body.code).toBe('no_sandbox');
    const sandbox = (await chief.send('POST', `${base}/sandbox`)).body.data.package;
    const before = await provider.books();
    const { body } = await chief.send('GET', `${base}/journal?kind=callbacks`);
    const rows: { sequence: number; kind: string }[] = body.data.movements.reverse();
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(['bet', 'win', 'bet_of_bet_win', 'win_of_bet_win', 'rollback', 'end_round']),
    );
    for (const { sequence, kind } of rows.filter(({ kind }) => kind !== 'win_of_bet_win')) {
      const replayed = await chief.send('POST', `${base}/callbacks/replay`, { sequence });
      expect([kind, replayed.body.data?.answer.status]).toEqual([kind, 200]);
      expect(replayed.body.data.sandbox_id).toBe(sandbox.id);
    }
    expect(await provider.books()).toEqual(before);
    const path = `/panel/packages/${sandbox.id}/player?player_id=${playerId}`;
    const copy = (await chief.send('GET', path)).body.data.player;
    expect(copy.balance).toBe(await provider.balance(playerId));
    const again = await chief.send('POST', `${base}/callbacks/replay`, { sequence: 3 });
    expect(again.body.data.answer.body.data.duplicate).toBe(true);
  });

  it('a replay gets transaction_not_found if the sequence does not belong to a callback', async () => {
    const owner = await given.package();
    const chief = await giveMember(given, owner, 'owner');
    const base = `/panel/packages/${owner.id}`;
    await chief.send('POST', `${base}/sandbox`);
    for (const sequence of [1, 999, Number.MAX_SAFE_INTEGER]) {
      const answer = await chief.send('POST', `${base}/callbacks/replay`, { sequence });
      expect(answer.body.code).toBe('transaction_not_found');
    }
  });

  it('a replay with a sequence above 2^53 - 1 is refused for owners and administrators', async () => {
    const owner = await given.package();
    const chief = await giveMember(given, owner, 'owner');
    const administrator = await giveAdministrator(given);
    await chief.send('POST', `/panel/packages/${owner.id}/sandbox`);
    for (const sequence of [2 ** 53, 2 ** 63, 1e21]) {
      for (const [send, prefix] of [
        [chief.send, '/panel'],
        [administrator.send, '/panel/admin'],
      ] as const) {
        const path = `${prefix}/packages/${owner.id}/callbacks/replay`;
        const { status, body } = await send('POST', path, { sequence });
        expect([status, body.code]).toEqual([400, 'invalid_parameter']);
      }
    }
  });
});
