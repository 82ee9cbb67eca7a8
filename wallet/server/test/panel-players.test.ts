// Players in the panel: found, blocked, funded by hand, and proved from the journal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider } from './callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from './given.ts';
import { type GivenPerson, giveMember } from './people.ts';

let given: Given;
let owner: GivenPackage;
let chief: GivenPerson;
let member: GivenPerson;
let base: string;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  chief = await giveMember(given, owner, 'owner');
  member = await giveMember(given, owner, 'member');
  base = `/panel/packages/${owner.id}`;
});

afterAll(() => given.close());

const actions = async (): Promise<string[]> => {
  const { body } = await chief.send('GET', `${base}/audit-log`);
  return body.data.entries.map((each: { action: string }) => each.action);
};

describe('players', () => {
  it('are found by how their id begins, with exact balances', async () => {
    await given.player(owner, { playerId: 'find/me', balance: '0.07' });
    await given.player(owner, { playerId: 'find-you' });
    const { body } = await member.send('GET', `${base}/players?search=find/`);
    expect(body.data).toMatchObject({
      players: [{ player_id: 'find/me', balance: 0.07, status: 'active' }],
      next_cursor: null,
    });
    const one = await member.send('GET', `${base}/player?player_id=find%2Fme`);
    expect(one.body.data.player.balance).toBe(0.07);
  });

  it('a block from the panel stops the very next bet, and the log has it', async () => {
    const playerId = await given.player(owner, { balance: '5.00' });
    const provider = createProvider(given, owner);
    const bet = { action: 'bet', player_id: playerId, amount: 1 };
    expect((await provider.send({ ...bet, transaction_id: 'before' })).status).toBe(200);
    const block = { player_id: playerId, status: 'blocked' };
    const blocked = await member.send('POST', `${base}/player/status`, block);
    expect(blocked.body.data.player.status).toBe('blocked');
    const after = await provider.send({ ...bet, transaction_id: 'after' });
    expect(after.body.code).toBe('player_blocked');
    expect(await actions()).toContain('player_blocked');
  });

  it('one is created to test with, once', async () => {
    const wanted = { player_id: 'tester', name: '<img src=x onerror=alert(1)>' };
    const made = await member.send('POST', `${base}/players`, wanted);
    expect(made.body.data).toMatchObject({ created: true, player: { name: wanted.name } });
    expect((await member.send('POST', `${base}/players`, wanted)).body.data.created).toBe(false);
    expect((await actions()).filter((each) => each === 'player_created')).toHaveLength(1);
  });

  it("nothing of another package's players is there", async () => {
    const playerId = await given.player(owner);
    const stranger = await giveMember(given, await given.package(), 'owner');
    const query = `?player_id=${playerId}`;
    for (const path of ['player', 'player/proof', 'player/statement', 'players']) {
      const answer = await stranger.send('GET', `${base}/${path}${query}`);
      expect(answer.body.code).toBe('package_not_found');
    }
  });
});

describe('by hand', () => {
  it('an owner credits a player once per id, and the audit line goes with it', async () => {
    const playerId = await given.player(owner, { balance: '1.00' });
    const wanted = {
      player_id: playerId,
      type: 'credit',
      amount: '2.50',
      transaction_id: 'hand-1',
    };
    const first = await chief.send('POST', `${base}/player/adjust`, wanted);
    expect(first.body.data).toMatchObject({ balance_before: 1, balance: 3.5, duplicate: false });
    const again = await chief.send('POST', `${base}/player/adjust`, wanted);
    expect(again.body.data).toMatchObject({ balance: 3.5, duplicate: true });
    const other = await chief.send('POST', `${base}/player/adjust`, { ...wanted, amount: 3 });
    expect(other.body.code).toBe('transaction_conflict');
    expect((await actions()).filter((each) => each === 'player_credited')).toHaveLength(1);
    const statement = await member.send('GET', `${base}/player/statement?player_id=${playerId}`);
    expect(statement.body.data.transactions).toMatchObject([
      { kind: 'credit', change: 2.5, balance: 3.5 },
      { kind: 'credit', change: 1, balance: 1 },
    ]);
  });

  it('a member may not, and a suspended package takes none', async () => {
    const playerId = await given.player(owner);
    const wanted = { player_id: playerId, type: 'credit', amount: 1, transaction_id: 'hand-2' };
    const refused = await member.send('POST', `${base}/player/adjust`, wanted);
    expect(refused.body.code).toBe('forbidden');
    const still = await given.package({ state: 'suspended' });
    const boss = await giveMember(given, still, 'owner');
    const path = `/panel/packages/${still.id}/player/adjust`;
    expect((await boss.send('POST', path, wanted)).body.code).toBe('package_suspended');
  });
});

describe('the proof of a balance', () => {
  const prove = async (playerId: string) =>
    (await member.send('GET', `${base}/player/proof?player_id=${playerId}`)).body.data;

  it('adds up every movement; a player without any holds zero', async () => {
    const playerId = await given.player(owner, { balance: '20.00' });
    const provider = createProvider(given, owner);
    const bet = { action: 'bet', player_id: playerId, amount: '3.33', transaction_id: 'p-bet' };
    await provider.send(bet);
    await provider.send({ ...bet, transaction_id: 'p-dear', amount: 900 });
    const win = { action: 'win', player_id: playerId, amount: '1.11', transaction_id: 'p-win' };
    await provider.send(win);
    expect(await prove(playerId)).toEqual({
      holds: true,
      balance: 17.78,
      opening: 0,
      change: 17.78,
      movements: 4,
      broken: 0,
      complete: true,
    });
    expect(await prove(await given.player(owner))).toMatchObject({ holds: true, movements: 0 });
  });

  it('a balance or a movement that was tampered with does not hold', async () => {
    const playerId = await given.player(owner, { balance: '20.00' });
    const id = [owner.id, playerId];
    const account = `(select account_id from players where package_id = $1 and player_id = $2)`;
    const where = `package_id = $1 and id = ${account}`;
    await given.db.query(`update accounts set balance = balance + 1 where ${where}`, id);
    expect(await prove(playerId)).toMatchObject({ holds: false, balance: 20.01, change: 20 });
    await given.db.query(`update accounts set balance = balance - 1 where ${where}`, id);
    const own = `package_id = $1 and credit_account = ${account}`;
    await given.db.query(`update journal set amount = amount + 5 where ${own}`, id);
    expect(await prove(playerId)).toMatchObject({ holds: false, broken: 1 });
  });
});
