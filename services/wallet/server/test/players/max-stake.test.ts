// A package and a player can have a maximum stake. A single bet above the limit is refused and not stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWalletRequest } from '../../src/connections/dialects/softswiss/signature.ts';
import { createProvider } from '../environment/callbacks.ts';
import { giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let admin: Send;

beforeAll(async () => {
  given = await givenWallet();
  admin = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const pathOf = (owner: GivenPackage, rest = '') => `/admin/v1/packages/${owner.id}${rest}`;
const limitPackage = (owner: GivenPackage, max_stake: unknown) =>
  admin('PATCH', pathOf(owner), { max_stake });
const limitPlayer = (owner: GivenPackage, player_id: string, max_stake: unknown) =>
  admin('POST', pathOf(owner, '/player/max-stake'), { player_id, max_stake });

let ids = 0;

async function givenPlayer() {
  const owner = await given.package();
  const player_id = await given.player(owner, { balance: '100.00' });
  const provider = createProvider(given, owner);
  const bet = (amount: number, transaction_id = `bet-${++ids}`, more = {}) =>
    provider.send({ action: 'bet', player_id, transaction_id, amount, round_id: 'r', ...more });
  return { owner, player_id, provider, bet };
}

describe('settings of the maximum stake', () => {
  it('no package and no player has a limit at first', async () => {
    const { owner, player_id, bet } = await givenPlayer();
    expect((await admin('GET', pathOf(owner))).body.data.package.max_stake).toBeNull();
    const read = await admin('GET', pathOf(owner, `/player?player_id=${player_id}`));
    expect(read.body.data.player.max_stake).toBeNull();
    expect((await bet(100)).status).toBe(200);
  });

  it('the limits of a package and a player are set, read, removed and audited', async () => {
    const { owner, player_id } = await givenPlayer();
    expect((await limitPackage(owner, '20.50')).body.data.package.max_stake).toBe(20.5);
    expect((await limitPlayer(owner, player_id, 7)).body.data.player).toMatchObject({
      player_id,
      max_stake: 7,
    });
    await limitPackage(owner, null);
    await limitPlayer(owner, player_id, null);
    const { body } = await admin('GET', pathOf(owner, '/audit-log'));
    const seen = body.data.entries.map((event: { action: string; details: object }) => [
      event.action,
      event.details,
    ]);
    expect(seen).toContainEqual(['package_edited', { max_stake: { from: null, to: 20.5 } }]);
    expect(seen).toContainEqual(['package_edited', { max_stake: { from: 20.5, to: null } }]);
    expect(seen).toContainEqual(['player_max_stake_changed', { max_stake: { from: null, to: 7 } }]);
    expect(seen).toContainEqual(['player_max_stake_changed', { max_stake: { from: 7, to: null } }]);
  });

  it('invalid limits, limits of unknown players and limits in other packages are refused', async () => {
    const { owner, player_id } = await givenPlayer();
    for (const wrong of [0, -1, 0.001, '1e2', true, {}]) {
      for (const answer of [await limitPackage(owner, wrong), await limitPlayer(owner, player_id, wrong)]) {
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_amount']);
      }
    }
    const missing = await admin('POST', pathOf(owner, '/player/max-stake'), { player_id });
    expect([missing.status, missing.body.code]).toEqual([400, 'invalid_parameter']);
    const unknown = await limitPlayer(owner, 'nobody', 5);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'player_not_found']);
    const { send } = await giveMember(given, await given.package(), 'owner');
    const url = `/panel/packages/${owner.id}/player/max-stake`;
    const foreign = await send('POST', url, { player_id, max_stake: 5 });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'package_not_found']);
  });

  it('owners may limit their package, and members may limit players', async () => {
    const { owner, player_id } = await givenPlayer();
    const boss = await giveMember(given, owner, 'owner');
    const member = await giveMember(given, owner, 'member');
    const path = `/panel/packages/${owner.id}`;
    expect((await boss.send('PATCH', path, { max_stake: 3 })).status).toBe(200);
    expect((await member.send('PATCH', path, { max_stake: 3 })).status).toBe(403);
    const limited = await member.send('POST', `${path}/player/max-stake`, { player_id, max_stake: 3 });
    expect(limited.status).toBe(200);
  });
});

describe('a maximum stake in callbacks', () => {
  it('as soon as a limit is set, a larger bet is refused with the balance and is not stored', async () => {
    const { owner, provider, bet } = await givenPlayer();
    expect((await bet(10)).status).toBe(200);
    await limitPackage(owner, 5);
    const before = await provider.books();
    const { status, body } = await bet(5.01, 'limited');
    expect([status, body]).toMatchObject([422, { code: 'bet_limit', balance: 90, data: { balance: 90 } }]);
    expect(body).toMatchObject({ package_balance: 900, credit_alert: null });
    expect(await provider.books()).toEqual(before);
    expect((await bet(5)).status).toBe(200);
    await limitPackage(owner, null);
    expect((await bet(5.01, 'limited')).body.balance).toBe(79.99);
  });

  it('the smaller of the package limit and the player limit applies', async () => {
    const { owner, player_id, bet } = await givenPlayer();
    await limitPackage(owner, 5);
    await limitPlayer(owner, player_id, 3);
    expect([(await bet(3)).status, (await bet(4)).status]).toEqual([200, 422]);
    await limitPlayer(owner, player_id, 8);
    expect([(await bet(5)).status, (await bet(6)).status]).toEqual([200, 422]);
    await limitPackage(owner, null);
    expect([(await bet(8)).status, (await bet(9)).status]).toEqual([200, 422]);
  });

  it('the repeat of an accepted bet gets its first answer even after the limit was lowered', async () => {
    const { owner, player_id, bet } = await givenPlayer();
    await bet(10, 'accepted');
    await limitPlayer(owner, player_id, 1);
    const { status, body } = await bet(10, 'accepted');
    expect([status, body.data]).toMatchObject([200, { balance: 90, duplicate: true, result: 'applied' }]);
  });

  it('the stake of a bet_win is limited; its win and all other wins are not limited', async () => {
    const { owner, player_id, provider } = await givenPlayer();
    await limitPlayer(owner, player_id, 2);
    const both = { action: 'bet_win', player_id, round_id: 'r', transaction_id: 'bw', win_amount: 50 };
    expect((await provider.send({ ...both, bet_amount: 3 })).body.code).toBe('bet_limit');
    expect((await provider.send({ ...both, bet_amount: 2 })).body.balance).toBe(148);
    const win = { action: 'win', player_id, round_id: 'r', transaction_id: 'w', amount: 40 };
    expect((await provider.send(win)).body.balance).toBe(188);
  });
});

describe('a maximum stake in provider connections', () => {
  it('a softswiss bet above the limit gets error 105; earlier bets can be repeated', async () => {
    const { owner, player_id } = await givenPlayer();
    const token = 'softswiss-token';
    const connection = await giveConnection(given, owner, { dialect: 'softswiss', secrets: { token } });
    const betwin = (id_provider: string, amount: string) => {
      const transactions = [{ id_provider, type: 'bet', amount }];
      const call = { account_id: player_id, currency: 'EUR', game_id: 'dice', round_id: 'r', transactions };
      return connection.send(signWalletRequest(token, '/betwin', call));
    };
    const first = await betwin('a', '10.00');
    expect(first.body).toMatchObject({ balance: '90.00' });
    await limitPlayer(owner, player_id, '5.00');
    const limited = await betwin('b', '5.01');
    expect([limited.status, limited.body]).toMatchObject([
      400,
      { meta: { api_code: '105', api_message: 'bet limit reached', balance: '90.00' } },
    ]);
    expect((await betwin('a', '10.00')).body).toEqual(first.body);
    expect((await betwin('b', '5.00')).body).toMatchObject({ balance: '85.00' });
  });
});
