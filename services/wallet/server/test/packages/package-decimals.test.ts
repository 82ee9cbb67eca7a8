// A package counts its amounts with up to 8 decimals. The number of decimals is chosen when the package is
// issued.
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

const all = '/admin/v1/packages';
const issue = (more: object) => admin('POST', all, { name: 'Fine', currency: 'EUR', ...more });
const edit = (id: number, body: object) => admin('PATCH', `${all}/${id}`, body);

async function get(owner: GivenPackage, path: string) {
  const answer = await given.app.inject({ url: `/api/v1/${path}`, headers: owner.headers });
  return answer.json();
}

const move = (owner: GivenPackage, payload: object) =>
  given.app.inject({ method: 'POST', url: '/api/v1/user/update_balance', headers: owner.headers, payload });

describe('issuing a package with decimals', () => {
  it('a package has the decimals of its currency by default', async () => {
    expect((await issue({})).body.data.package).toMatchObject({ currency: 'EUR', decimals: 2 });
    expect((await issue({ currency: 'JPY' })).body.data.package).toMatchObject({ decimals: 0 });
    const stored = await given.db.query('select distinct decimals from packages');
    expect(stored.rows).toEqual([{ decimals: null }]);
  });

  it('the settings of a package with 5 decimals accept amounts with 5 decimals', async () => {
    const { status, body } = await issue({ decimals: 5, alert_threshold: '0.00001', overdraft_limit: 1.5 });
    expect(status).toBe(200);
    expect(body.data.package).toMatchObject({ decimals: 5, alert_threshold: 0.00001, overdraft_limit: 1.5 });
  });

  it.each([
    ['lower than the decimals of the currency', { decimals: 1 }],
    ['higher than 8', { decimals: 9 }],
    ['a fraction', { decimals: 2.5 }],
    ['a text', { decimals: '5' }],
    ['lower than 3 for KWD', { currency: 'KWD', decimals: 2 }],
  ])('a number of decimals is refused if it is %s', async (_what, more) => {
    const { status, body } = await issue(more);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid_parameter', ['decimals']]);
  });

  it('a sandbox has the decimals of its package, and play money below the balance limit', async () => {
    for (const decimals of [5, 8]) {
      const { id } = (await issue({ decimals })).body.data.package;
      const { body } = await admin('POST', `${all}/${id}/sandbox`);
      const balance = decimals === 5 ? 1_000_000_000 : 1_000_000;
      expect(body.data.package).toMatchObject({ decimals, balance });
    }
  });
});

describe('changing the decimals of a package', () => {
  it('new decimals of a pending package without movements do not change the value of amounts', async () => {
    const { id } = (await issue({ alert_threshold: 12.5, overdraft_limit: 3 })).body.data.package;
    const { status, body } = await edit(id, { decimals: 5 });
    expect([status, body.data.package]).toMatchObject([
      200,
      { decimals: 5, alert_threshold: 12.5, overdraft_limit: 3 },
    ]);
    const back = await edit(id, { decimals: 2, alert_threshold: '0.01' });
    expect(back.body.data.package).toMatchObject({ decimals: 2, alert_threshold: 0.01, overdraft_limit: 3 });
    const log = await admin('GET', `${all}/${id}/audit-log`);
    const details = log.body.data.entries.map((event: { details: object }) => event.details);
    expect(details).toContainEqual({ decimals: { from: 2, to: 5 } });
  });

  it('a change to fewer decimals is refused if the alert threshold needs more decimals', async () => {
    const { id } = (await issue({ decimals: 5, alert_threshold: '0.00001' })).body.data.package;
    const { status, body } = await edit(id, { decimals: 4 });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid_parameter', ['decimals']]);
  });

  it('the decimals cannot be changed after the first movement or after the approval', async () => {
    const funded = (await issue({})).body.data.package.id;
    await admin('POST', `${all}/${funded}/top-ups`, { amount: 5, transaction_id: 't-1' });
    const approved = (await issue({})).body.data.package.id;
    await admin('POST', `${all}/${approved}/approve`);
    for (const id of [funded, approved]) {
      const { status, body } = await edit(id, { decimals: 5, alert_threshold: 7 });
      expect([status, body.code]).toEqual([409, 'decimals_fixed']);
      expect((await edit(id, { decimals: 2 })).status).toBe(200);
      expect((await admin('GET', `${all}/${id}`)).body.data.package.alert_threshold).toBe(0);
    }
  });

  it('owners may not change the decimals', async () => {
    const owner = await given.package({ state: 'pending', credit: '0' });
    const { send } = await giveMember(given, owner, 'owner');
    const { status, body } = await send('PATCH', `/panel/packages/${owner.id}`, { decimals: 5 });
    expect([status, body.code]).toEqual([403, 'forbidden']);
  });
});

describe('amounts of a package with 5 decimals', () => {
  it('the package, its players, their statements and the feed show all 5 decimals', async () => {
    const owner = await given.package({ decimals: 5, credit: '100.00001' });
    const player_id = await given.player(owner, { balance: '10.00003' });
    expect((await get(owner, 'package')).data).toMatchObject({ decimals: 5, balance: 89.99998 });
    expect((await get(owner, `user/balance?player_id=${player_id}`)).data.balance).toBe(10.00003);
    const moved = await move(owner, { player_id, type: 'credit', amount: '0.00001', transaction_id: 'a' });
    expect(moved.json().data).toMatchObject({ amount: 0.00001, balance_before: 10.00003, balance: 10.00004 });
    const finer = await move(owner, { player_id, type: 'credit', amount: 0.000001, transaction_id: 'b' });
    expect([finer.statusCode, finer.json().code]).toEqual([400, 'invalid_amount']);
    const statement = await get(owner, `user/transactions?player_id=${player_id}`);
    expect(statement.data.transactions[0]).toMatchObject({ amount: 0.00001, balance: 10.00004 });
    const feed = await get(owner, 'feed?after=0');
    expect(JSON.stringify(feed)).toContain('10.00004');
  });

  it('callbacks and provider connections read and answer amounts with all 5 decimals', async () => {
    const owner = await given.package({ decimals: 5 });
    const player_id = await given.player(owner, { balance: '1.00000' });
    const provider = createProvider(given, owner);
    const bet = { action: 'bet', player_id, transaction_id: 'x', round_id: 'r', amount: 0.00001 };
    expect((await provider.send(bet)).body.balance).toBe(0.99999);
    const fine = { ...bet, transaction_id: 'y', amount: '0.000001' };
    expect((await provider.send(fine)).body.code).toBe('invalid_amount');
    const token = 'softswiss-token';
    const connection = await giveConnection(given, owner, { dialect: 'softswiss', secrets: { token } });
    const request = { account_id: player_id, currency: 'EUR', game_id: 'dice' };
    const { body } = await connection.send(signWalletRequest(token, '/balance', request));
    expect(body).toEqual({ balance: '0.99999' });
  });
});
