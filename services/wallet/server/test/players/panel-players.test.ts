// Players in the panel: search, block, manual adjustments, and the proof of a balance.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type GivenPerson, giveMember, giveProgram } from '../environment/people.ts';

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

describe('players in the panel', () => {
  const search = async (text: string, more = '', prefix = base, send = member.send) => {
    const query = `?search=${encodeURIComponent(text)}${more}`;
    const { status, body } = await send('GET', `${prefix}/players${query}`);
    expect(status).toBe(200);
    const { players, next_cursor: next } = body.data;
    return { ids: players.map((each: { player_id: string }) => each.player_id), next };
  };

  it('players are found by any part of the id or name, in the panel and with an admin token', async () => {
    const own = await given.package();
    const people = await giveMember(given, own, 'member');
    const { send: byToken } = await giveProgram(given);
    const names = {
      'seek-1': 'Ada Lovelace',
      'a-seek-2': '',
      'other-3': 'Grace Seekwell',
      'x-4': '',
    };
    for (const [player_id, name] of Object.entries(names)) {
      await people.send('POST', `/panel/packages/${own.id}/players`, { player_id, name });
    }
    for (const [prefix, send] of [
      [`/panel/packages/${own.id}`, people.send],
      [`/admin/v1/packages/${own.id}`, byToken],
    ] as const) {
      const find = async (text: string) => (await search(text, '', prefix, send)).ids;
      expect(await find('seek-1')).toEqual(['seek-1']);
      expect(await find('SEEK')).toEqual(['a-seek-2', 'other-3', 'seek-1']);
      expect(await find('ada love')).toEqual(['seek-1']);
      expect(await find('lace')).toEqual(['seek-1']);
      expect(await find('-4')).toEqual(['x-4']);
      expect(await find('nobody')).toEqual([]);
    }
  });

  it.each(['%', '_', '\\', "'", '"', '%%', '\\_', '*', '.', '[a]', '💰', 'ß'])(
    'a search finds the text %s literally, not as a wildcard',
    async (text) => {
      const own = await given.package();
      const people = await giveMember(given, own, 'member');
      await given.player(own, { playerId: 'plain' });
      await given.player(own, { playerId: `has${text}inside` });
      const named = { player_id: 'named', name: `${text} is first` };
      await people.send('POST', `/panel/packages/${own.id}/players`, named);
      const found = await search(text, '', `/panel/packages/${own.id}`, people.send);
      expect(found).toEqual({ ids: ['named', `has${text}inside`], next: null });
    },
  );

  it('the pages of a search together contain each player once', async () => {
    const own = await given.package();
    const people = await giveMember(given, own, 'member');
    const ids = Array.from({ length: 7 }, (_, index) => `p${index}-walk`);
    for (const playerId of ids) await given.player(own, { playerId });
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more = `&limit=3${cursor && `&cursor=${cursor}`}`;
      const page = await search('WALK', more, `/panel/packages/${own.id}`, people.send);
      pages.push(page.ids);
      cursor = page.next;
    }
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  it(
    'a search finds ids and names that begin with the text among all players, ' +
      'and looks for other matches in 5,000 players per page',
    async () => {
      const own = await given.package();
      const people = await giveMember(given, own, 'member');
      await given.db.query(
        `with made as (insert into accounts (package_id, id)
           select $1, 9000000 + n from generate_series(1, 5200) as n returning id)
         insert into players (package_id, account_id, player_id, name)
         select $1, id, 'n' || id,
           case id when 9005150 then 'Zoe Far' when 9005100 then 'Lorenzo' else '' end from made`,
        [own.id],
      );
      const at = `/panel/packages/${own.id}`;
      const find = (text: string, more = '') => search(text, more, at, people.send);
      expect(await find('n9005150')).toMatchObject({ ids: ['n9005150'] });
      expect(await find('ZOE')).toMatchObject({ ids: ['n9005150'] });
      const first = await find('05150');
      expect(first.ids).toEqual([]);
      const second = await find('05150', `&cursor=${first.next}`);
      expect(second).toEqual({ ids: ['n9005150'], next: null });
      const far = await find('far');
      expect(far.ids).toEqual([]);
      expect(await find('far', `&cursor=${far.next}`)).toEqual({ ids: ['n9005150'], next: null });
      const beginning = await find('zo');
      expect(beginning.ids).toEqual(['n9005150']);
      const inside = await find('zo', `&cursor=${beginning.next}`);
      expect(inside).toEqual({ ids: ['n9005100'], next: null });
    },
  );

  it('matches at the start of an id are listed first, then at the start of a name, then others', async () => {
    const own = await given.package();
    const people = await giveMember(given, own, 'member');
    const players = {
      'max-2': 'Max Both',
      'max-1': '',
      'b-3': 'Maxine',
      'a-4': 'maximilian',
      'a-6': 'Climax',
      'climax-5': '',
    };
    const at = `/panel/packages/${own.id}`;
    for (const [player_id, name] of Object.entries(players)) {
      await people.send('POST', `${at}/players`, { player_id, name });
    }
    for (const limit of [1, 2, 3, 6, 7]) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const more = `&limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const page = await search('max', more, at, people.send);
        expect(page.ids.length).toBeLessThanOrEqual(limit);
        seen.push(...page.ids);
        cursor = page.next;
      }
      expect(seen).toEqual(['max-1', 'max-2', 'a-4', 'b-3', 'a-6', 'climax-5']);
    }
  });

  it.each(['players:a', 'found_players:a', 'found_players:["name","a"]', 'found_players:["x","",""]'])(
    'a search refuses the cursor %s',
    async (text) => {
      const cursor = Buffer.from(text).toString('base64url');
      const { status, body } = await member.send('GET', `${base}/players?search=a&cursor=${cursor}`);
      expect([status, body.errors]).toEqual([400, { cursor: ['is not a cursor of this list.'] }]);
    },
  );

  it('a search text of more than 64 characters or with a control character is refused', async () => {
    for (const text of ['x'.repeat(65), 'a\u0000b', 'a\nb']) {
      const path = `${base}/players?search=${encodeURIComponent(text)}`;
      expect((await member.send('GET', path)).body.code).toBe('invalid_parameter');
    }
  });

  it('players are found by the start of the id, with exact balances', async () => {
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

  it('a block in the panel refuses the next bet of the player and is recorded in the audit log', async () => {
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

  it('a player is created once, even if the request is repeated', async () => {
    const wanted = { player_id: 'tester', name: '<img src=x onerror=alert(1)>' };
    const made = await member.send('POST', `${base}/players`, wanted);
    expect(made.body.data).toMatchObject({ created: true, player: { name: wanted.name } });
    expect((await member.send('POST', `${base}/players`, wanted)).body.data.created).toBe(false);
    expect((await actions()).filter((each) => each === 'player_created')).toHaveLength(1);
  });

  it('players of another package are not shown', async () => {
    const playerId = await given.player(owner);
    const stranger = await giveMember(given, await given.package(), 'owner');
    const query = `?player_id=${playerId}`;
    for (const path of ['player', 'player/proof', 'player/statement', 'players']) {
      const answer = await stranger.send('GET', `${base}/${path}${query}`);
      expect(answer.body.code).toBe('package_not_found');
    }
  });
});

describe('a manual adjustment', () => {
  it('an adjustment by an owner credits a player once per transaction id, and is audited', async () => {
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

  it('a manual adjustment is refused for members and for a suspended package', async () => {
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

  it('the proof adds up every movement, and is also correct for a player without movements', async () => {
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

  it('the proof of a balance detects a balance or a movement that was tampered with', async () => {
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
