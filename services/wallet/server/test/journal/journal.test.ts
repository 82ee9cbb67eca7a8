// The ledger explorer: filters, pages, totals that add up, and CSV without formulas.
import { connect } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type GivenPerson, giveMember, openSecondApp } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let member: GivenPerson;
let base: string;

const play = async (playerId: string, count: number) => {
  const provider = createProvider(given, owner);
  for (let n = 1; n <= count; n++) {
    const common = { player_id: playerId, round_id: `${playerId}-${n}`, game_id: 'moon' };
    const bet = { ...common, action: 'bet', transaction_id: `b-${playerId}-${n}`, amount: '0.10' };
    const win = { ...common, action: 'win', transaction_id: `w-${playerId}-${n}`, amount: '0.07' };
    expect((await provider.send(bet)).status).toBe(200);
    expect((await provider.send(win)).status).toBe(200);
  }
};

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  base = `/panel/packages/${owner.id}`;
  await given.player(owner, { playerId: 'ann', balance: '10.00' });
  await given.player(owner, { playerId: 'bob', balance: '5.00' });
  await play('ann', 3);
  given.clock.now = new Date('2026-05-05T10:00:00.000Z');
  // The person signs in after the clock was set. A session from the day before would have expired.
  member = await giveMember(given, owner, 'member');
  await play('bob', 2);
  await given.app.inject({
    method: 'POST',
    url: '/api/v1/user/update_balance',
    headers: owner.headers,
    payload: {
      player_id: 'ann',
      type: 'debit',
      amount: 900,
      transaction_id: '=1+1',
      note: '@x,"y"',
    },
  });
});

afterAll(() => given.close());

const list = async (query: string) => {
  const { body } = await member.send('GET', `${base}/journal?${query}`);
  return body.data.movements as { sequence: number; kind: string; player_id: string | null }[];
};

/** Reads every page of a list in order. */
async function listAll(query: string, limit: number) {
  const sequences: number[] = [];
  let cursor: string | null = null;
  do {
    const position: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await member.send('GET', `${base}/journal?${query}&limit=${limit}${position}`);
    sequences.push(...body.data.movements.map((each: { sequence: number }) => each.sequence));
    cursor = body.data.next_cursor;
  } while (cursor !== null);
  return sequences;
}

describe('pages of the journal', () => {
  it('pages list every movement once, newest first, for every page size', async () => {
    const all = (await list('limit=100')).map((each) => each.sequence);
    expect(all).toEqual([...all].sort((a, b) => b - a));
    expect(all).toHaveLength(all[0] ?? 0);
    expect(await listAll('', 4)).toEqual(all);
    expect(await listAll('', 1)).toEqual(all);
  });

  it('pages of one player contain only the movements of this player', async () => {
    const own = await list('player_id=ann');
    expect(new Set(own.map((each) => each.player_id))).toEqual(new Set(['ann']));
    expect(own).toHaveLength(8);
    expect(await listAll('player_id=ann', 3)).toEqual(own.map((each) => each.sequence));
  });

  it('pages are filtered by kind, result, game and time', async () => {
    expect((await list('kind=bet')).map((each) => each.kind)).toEqual(Array(5).fill('bet'));
    expect(await list('result=refused')).toMatchObject([{ kind: 'debit', player_id: 'ann' }]);
    expect(await list('game_id=moon&player_id=bob')).toHaveLength(4);
    expect(await list('from=2026-05-05T00:00:00Z')).toHaveLength(5);
    expect(await list('to=2026-05-05T00:00:00Z&player_id=ann')).toHaveLength(7);
    expect(await list('from=2026-05-05T00:00:00Z&to=2026-05-05T00:00:00Z')).toEqual([]);
  });

  it('a request with an invalid filter gets 400, and a request for an unknown player 404', async () => {
    for (const query of ['kind=x', 'from=yesterday', 'result=maybe', 'cursor=abc']) {
      expect((await member.send('GET', `${base}/journal?${query}`)).status).toBe(400);
    }
    const unknown = await member.send('GET', `${base}/journal?player_id=nobody`);
    expect(unknown.body.code).toBe('player_not_found');
  });

  it("a request for another package's journal gets 404", async () => {
    const stranger = await giveMember(given, await given.package(), 'owner');
    for (const path of ['journal', 'journal/totals', 'journal.csv', 'credit']) {
      const answer = await stranger.send('GET', `${base}/${path}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'package_not_found']);
    }
  });
});

describe('totals of the journal', () => {
  const read = async (query: string) =>
    (await member.send('GET', `${base}/journal/totals?${query}`)).body.data;

  it('totals are listed by kind, and the changes of all four groups of accounts sum to zero', async () => {
    const totals = await read('');
    expect(totals.changes).toEqual({
      players: '14.85',
      credit: '985.00',
      house: '0.15',
      issuance: '-1000.00',
    });
    expect(totals.kinds).toContainEqual({ kind: 'bet', moved: true, count: 5, amount: '0.50' });
    const refused = { kind: 'debit', moved: false, count: 1, amount: '900.00' };
    expect(totals.kinds).toContainEqual(refused);
    expect(totals).toMatchObject({ movements: 14, complete: true, stretch: null });
  });

  it('the totals of one player show that opening balance plus change is the closing balance', async () => {
    expect((await read('player_id=bob')).stretch).toEqual({
      opening: '0.00',
      change: '4.94',
      closing: '4.94',
      adds_up: true,
    });
    const later = await read('player_id=bob&from=2026-05-05T00:00:00Z');
    expect(later.stretch).toMatchObject({ opening: '5.00', closing: '4.94', adds_up: true });
    expect((await read('player_id=bob&kind=bet')).stretch).toBeNull();
  });

  it('totals of the journal do not add up if an amount was changed in the database', async () => {
    const where = "package_id = $1 and transaction_id = 'b-bob-1'";
    const set = (amount: number) =>
      given.db.query(`update journal set amount = $2 where ${where}`, [owner.id, amount]);
    await set(11);
    expect((await read('player_id=bob')).stretch).toMatchObject({ adds_up: false });
    await set(10);
  });
});

describe('the journal as CSV', () => {
  it('no cell of the CSV runs as a formula, even if a spreadsheet splits cells at semicolons', async () => {
    const other = await given.package();
    const player_id = await given.player(other, { balance: '1.00' });
    const texts = [
      ['x;=HYPERLINK(1)', 'a;=1+1;@SUM(1)'],
      ['y; +1', 'b;"=1+1"'],
      ['z;\uff1d1', '\uff20SUM(1)'],
      ['plain-id', 'half; 5 - 3 = 2'],
    ];
    for (const [transaction_id, note] of texts) {
      const payload = { player_id, type: 'credit', amount: 1, transaction_id, note };
      const url = '/api/v1/user/update_balance';
      const { headers } = other;
      const moved = await given.app.inject({ method: 'POST', url, headers, payload });
      expect(moved.statusCode, moved.body).toBe(200);
    }
    const { body } = await given.app.inject({
      url: `/panel/packages/${other.id}/journal.csv`,
      headers: await cookieOf(await giveMember(given, other, 'member')),
    });
    const written = [
      `,"x;'=HYPERLINK(1)",`,
      `,"a;'=1+1;'@SUM(1)",cash,,,\r\n`,
      `,"y; '+1",`,
      `,"b;""'=1+1""",cash,,,\r\n`,
      `,"z;'\uff1d1",`,
      `,'\uff20SUM(1),cash,,,\r\n`,
      ',plain-id,',
      ',"half; 5 - 3 = 2",cash,,,\r\n',
    ];
    expect(written.filter((text) => !body.includes(text))).toEqual([]);
  });

  it('the journal as CSV contains the movements that match the filter, with formulas disabled', async () => {
    const answer = await given.app.inject({
      url: `${base}/journal.csv?player_id=ann`,
      headers: await cookieOf(member),
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain(owner.uid);
    const lines = answer.body.trimEnd().split('\r\n');
    expect(lines).toHaveLength(9);
    expect(lines[0]).toMatch(/^sequence,created_at,kind,result,transaction_id,player_id,amount/);
    expect(lines[1]).toContain(`,'=1+1,ann,900.00,0.00,9.91,EUR,,"'@x,""y"""`);
    expect(lines.at(-1)).toContain(',credit,applied,given-ann,ann,10.00,10.00,10.00,EUR,,');
  });
});

it('an export from a standby reports the lag, and ends if its client disconnects', async () => {
  const replica = { url: given.config.databaseUrl, maxLagMs: 60_000 };
  const near = await openSecondApp({ ...given, config: { ...given.config, replica } });
  onTestFinished(near.close);
  const headers = await cookieOf(member);
  const url = `${base}/journal.csv`;
  const arrives = () =>
    eventually(async () => {
      const answer = await near.app.inject({ url, headers });
      expect(answer.headers).toHaveProperty('x-replica-lag-seconds');
      expect(answer.body.trimEnd().split('\r\n')).toHaveLength(15);
    });
  for (let n = 1; n <= 6; n++) await arrives();
  await near.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = near.app.server.address() as { port: number };
  for (let n = 1; n <= 6; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET ${url} HTTP/1.1\r\nhost: x\r\ncookie: ${headers.cookie}\r\n\r\n`);
    await new Promise((resolve) => near.app.server.once('request', resolve));
    socket.destroy();
  }
  await arrives();
});

/** Signs the person in and returns the session cookie. */
async function cookieOf(person: GivenPerson): Promise<{ cookie: string }> {
  const signedIn = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin: given.config.publicUrl },
    payload: { email: person.email, password: 'correct horse battery' },
  });
  return { cookie: String(signedIn.headers['set-cookie']).split(';')[0] ?? '' };
}

describe('the runway', () => {
  it('the runway is the number of hours for which the credit lasts at the rate of the last day', async () => {
    const low = await given.package({ credit: '100.00', alertThreshold: 10_000n });
    const chief = await giveMember(given, low, 'owner');
    const path = `/panel/packages/${low.id}/credit`;
    expect((await chief.send('GET', path)).body.data).toMatchObject({ runway: null, decimals: 2 });
    await given.player(low, { balance: '75.00' });
    given.clock.now = new Date(given.clock.now.getTime() + 3_600_000);
    const { data } = (await chief.send('GET', path)).body;
    expect(data).toMatchObject({
      balance: 25,
      credit_alert: { level: 'critical' },
      runway: { hours: 8, spent: '75.00', over_hours: 24 },
    });
  });
});
