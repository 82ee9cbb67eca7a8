// The routes user/create, user/list, user/status, user/transaction, user/transactions and package of the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStatusFinder } from '../../src/players/find-status.ts';
import { setStatus } from '../../src/players/set-status.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000.00' });
});

afterAll(() => given.close());

const get = (path: string, of: GivenPackage = owner) =>
  given.app.inject({ url: `/api/v1/${path}`, headers: of.headers });

const post = (path: string, payload: object | string, of: GivenPackage = owner) =>
  given.app.inject({
    method: 'POST',
    url: `/api/v1/${path}`,
    headers: { ...of.headers, 'content-type': 'application/json' },
    payload,
  });

const move = (player: string, type: string, amount: unknown, id: string, note = '') =>
  post('user/update_balance', { player_id: player, type, amount, transaction_id: id, note });

describe('user/create', () => {
  it('user/create answers 201 the first time, and 200 with the existing player after that', async () => {
    const body = { player_id: 'new', currency: 'EUR', name: 'Zoë', metadata: { vip: true } };
    const first = await post('user/create', body);
    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({
      status: 'success',
      data: {
        player_id: 'new',
        name: 'Zoë',
        currency: 'EUR',
        balance: 0,
        status: 'active',
        created: true,
        created_at: given.clock.now.toISOString(),
      },
      package_balance: 1000,
      credit_alert: null,
      request_id: first.headers['x-request-id'],
    });
    await move('new', 'credit', 5, 'create-1');
    const again = await post('user/create', { player_id: 'new', name: 'Other' });
    expect(again.statusCode).toBe(200);
    expect(again.json().data).toMatchObject({ name: 'Zoë', balance: 5, created: false });
  });

  it('user/create creates one player for 50 requests in parallel', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('user/create', { player_id: 'crowd' })),
    );
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(49);
  });

  it.each([
    ['a currency that is not the package’s', { player_id: 'x', currency: 'USD' }, 'currency_mismatch'],
    ['no player_id', {}, 'invalid_parameter'],
    ['a name of 129 characters', { player_id: 'x', name: 'a'.repeat(129) }, 'invalid_parameter'],
    ['metadata over 4 KiB', { player_id: 'x', metadata: { a: 'a'.repeat(5000) } }, 'invalid_parameter'],
    ['metadata that is an array', { player_id: 'x', metadata: [1] }, 'invalid_parameter'],
    [
      'metadata with 30,000 levels',
      `{"player_id":"x","metadata":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
      'invalid_parameter',
    ],
    ['metadata with a NUL', { player_id: 'x', metadata: { a: ['\u0000'] } }, 'invalid_parameter'],
    ['metadata with a lone surrogate', { player_id: 'x', metadata: { '\ud800': 1 } }, 'invalid_parameter'],
  ])('user/create answers 400 to a request with %s', async (_title, body, code) => {
    const answer = await post('user/create', body);
    expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
    expect((await get('user/balance?player_id=x')).statusCode).toBe(404);
  });

  it('user/create accepts null for optional fields', async () => {
    const body = { player_id: 'nulls', currency: null, name: null, metadata: null };
    expect((await post('user/create', body)).statusCode).toBe(201);
  });
});

describe('user/list', () => {
  it('players are listed by id, filtered by an id prefix, and never from another package', async () => {
    const listed = await given.package();
    const ids = ['a', 'B', 'b1', 'b2', 'ä', 'z', 'b%', 'b_'];
    for (const playerId of ids) await given.player(listed, { playerId });
    const all: string[] = [];
    let cursor = '';
    do {
      const page = (await get(`user/list?limit=3${cursor && `&cursor=${cursor}`}`, listed)).json().data;
      expect(page.players.length).toBeLessThanOrEqual(3);
      all.push(...page.players.map((player: { player_id: string }) => player.player_id));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(all).toEqual([...ids].sort());
    const search = async (text: string) =>
      (await get(`user/list?search=${encodeURIComponent(text)}`, listed))
        .json()
        .data.players.map((player: { player_id: string }) => player.player_id);
    expect(await search('b')).toEqual(['b%', 'b1', 'b2', 'b_']);
    expect(await search('b%')).toEqual(['b%']);
    expect(await search('nothing')).toEqual([]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=cGxheWVyczoA', 'search=%00'])(
    'user/list answers 400 to the query %s',
    async (query) => {
      expect((await get(`user/list?${query}`)).json().code).toBe('invalid_parameter');
    },
  );
});

describe('user/status', () => {
  it('a player can be blocked and unblocked; a block does not stop reads and update_balance', async () => {
    const player = await given.player(owner, { balance: '1.00' });
    expect((await post('user/status', { player_id: player, status: 'blocked' })).json().data).toEqual({
      player_id: player,
      status: 'blocked',
    });
    expect((await get(`user/balance?player_id=${player}`)).json().data.status).toBe('blocked');
    expect((await move(player, 'debit', 1, `status-${player}`)).statusCode).toBe(200);
    await post('user/status', { player_id: player, status: 'active' });
    expect((await get(`user/balance?player_id=${player}`)).json().data.status).toBe('active');
  });

  it('user/status refuses an unknown player with 404 and an unknown status with 400', async () => {
    expect((await post('user/status', { player_id: 'nobody', status: 'blocked' })).statusCode).toBe(404);
    expect((await post('user/status', { player_id: 'nobody', status: 'gone' })).statusCode).toBe(400);
  });
});

describe('concurrent status changes of a package', () => {
  it('waiting status changes use no database connection, and are refused if too many wait', async () => {
    const busy = await given.package();
    const playerId = await given.player(busy);
    const others = await given.player(owner);
    const deps = { db: given.db, statuses: createStatusFinder({ db: given.db, maxWaiting: 12 }) };
    const change = { packageId: busy.id, playerId, status: 'blocked' } as const;
    const asked = await given.db.transaction(async (tx) => {
      const row = 'select 1 from players where package_id = $1 and player_id = $2 for update';
      await tx.query(row, [busy.id, playerId]);
      const all = Array.from({ length: 40 }, () => setStatus(deps, change));
      const refused = await Promise.allSettled(all.slice(12));
      for (const each of refused) expect(each).toMatchObject({ reason: { code: 'overloaded' } });
      expect((await move(others, 'credit', 1, 'beside')).statusCode).toBe(200);
      expect(given.db.connections().waiting).toBe(0);
      return { inLine: all.slice(0, 12) };
    });
    await Promise.all(asked.inLine);
    const found = await get(`user/balance?player_id=${playerId}`, busy);
    expect(found.json().data.status).toBe('blocked');
  });

  it('status changes are refused if they have waited too long, and are not applied later', async () => {
    const playerId = await given.player(owner);
    const statuses = createStatusFinder({ db: given.db });
    const maxWaitMs = 5;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = statuses.enqueue(owner.id, () => held);
    const change = { packageId: owner.id, playerId, status: 'blocked' } as const;
    const late = setStatus({ db: given.db, statuses, maxWaitMs }, change);
    const askedAt = performance.now();
    await expect.poll(() => performance.now() - askedAt).toBeGreaterThan(maxWaitMs);
    letGo();
    await expect(late).rejects.toMatchObject({ code: 'overloaded' });
    await first;
    expect((await get(`user/balance?player_id=${playerId}`)).json().data.status).toBe('active');
  });
});

describe('user/transaction', () => {
  it('applied and refused transactions are shown with the values of their first answer', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const applied = await move(player, 'debit', 4, 'look-1', 'why');
    const { duplicate: _first, ...data } = applied.json().data;
    const found = await get('user/transaction?transaction_id=look-1');
    expect(found.json().data).toEqual({ ...data, result: 'applied' });
    await move(player, 'debit', 400, 'look-2');
    expect((await get('user/transaction?transaction_id=look-2')).json().data).toMatchObject({
      amount: 400,
      balance_before: 6,
      balance: 6,
      result: 'refused',
      code: 'insufficient_funds',
    });
  });

  it("an unknown id, a top-up's id and another package's id get the same retryable 404", async () => {
    const other = await given.package();
    const theirs = await given.player(other, { balance: '1.00' });
    for (const id of ['never', 'opening', `given-${theirs}`]) {
      const answer = await get(`user/transaction?transaction_id=${id}`);
      expect([answer.statusCode, answer.json().code, answer.json().retryable]).toEqual([
        404,
        'transaction_not_found',
        true,
      ]);
    }
  });
});

describe('user/transactions', () => {
  it('movements and refusals are listed newest first, and the changes add up to the balance', async () => {
    const player = await given.player(owner);
    const other = await given.player(owner);
    for (let i = 1; i <= 7; i++) {
      await move(player, 'credit', i, `${player}-c${i}`, i === 7 ? 'last' : '');
      await move(other, 'credit', 1, `${other}-c${i}`);
    }
    await move(player, 'debit', 1000, `${player}-refused`);
    const lines: { change: number; transaction_id: string; balance: number; note: string }[] = [];
    let cursor = '';
    do {
      const path = `user/transactions?player_id=${player}&limit=3${cursor && `&cursor=${cursor}`}`;
      const page = (await get(path)).json().data;
      lines.push(...page.transactions);
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(lines.map((line) => line.transaction_id)).toEqual([
      `${player}-refused`,
      ...[7, 6, 5, 4, 3, 2, 1].map((i) => `${player}-c${i}`),
    ]);
    expect(lines[0]).toMatchObject({
      change: 0,
      result: 'insufficient_funds',
      kind: 'debit',
      balance: 28,
    });
    expect(lines[1]).toMatchObject({ change: 7, balance: 28, note: 'last', kind: 'credit' });
    expect(lines.reduce((sum, line) => sum + line.change, 0)).toBe(28);
  });

  it("user/transactions returns an empty page for a cursor of another player's statement", async () => {
    const [one, two] = [await given.player(owner), await given.player(owner)];
    for (let i = 0; i < 3; i++) await move(one, 'credit', 1, `${one}-${i}`);
    const page = (await get(`user/transactions?player_id=${one}&limit=1`)).json().data;
    const stolen = await get(`user/transactions?player_id=${two}&cursor=${page.next_cursor}`);
    expect(stolen.json().data.transactions).toEqual([]);
  });

  it('an unknown player gets 404, and a player without movements gets an empty page', async () => {
    expect((await get('user/transactions?player_id=nobody')).statusCode).toBe(404);
    const player = await given.player(owner);
    expect((await get(`user/transactions?player_id=${player}`)).json().data).toEqual({
      player_id: player,
      transactions: [],
      next_cursor: null,
    });
  });
});

describe('GET /api/v1/package', () => {
  it('GET /api/v1/package shows the package, its credit and its settings', async () => {
    const mine = await given.package({
      credit: '12.34',
      alertThreshold: 500n,
      domains: ['a.example'],
    });
    expect((await get('package', mine)).json()).toMatchObject({
      status: 'success',
      data: {
        uid: mine.uid,
        name: 'Test package',
        state: 'approved',
        currency: 'EUR',
        balance: 12.34,
        overdraft_limit: 0,
        alert_threshold: 5,
        domains: ['a.example'],
      },
    });
  });
});
