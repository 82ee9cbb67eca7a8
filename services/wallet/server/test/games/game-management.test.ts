// Management of games: sessions, test launches, the shared session and the provider's health.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember, giveProgram, type Send } from '../environment/people.ts';
import { gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';

let provider: Provider;
let given: Given;
let mine: GivenPackage;
let owner: Send;
let member: Send;
let stranger: Send;
let administrator: Send;
let program: Send;

beforeAll(async () => {
  provider = await givenProvider();
  const breaker = { failures: 3, restMs: 600_000 };
  given = await givenWallet(provider.env, { breaker });
  provider.games = { private: gamesNamed('moon', 'sun'), public: gamesNamed('moon') };
  mine = await given.package();
  await given.player(mine, { playerId: 'tester', balance: '3.00' });
  owner = (await giveMember(given, mine, 'owner')).send;
  member = (await giveMember(given, mine, 'member')).send;
  stranger = (await giveMember(given, await given.package(), 'owner')).send;
  administrator = (await giveAdministrator(given)).send;
  program = (await giveProgram(given)).send;
});
beforeEach(() => {
  provider.faults = {};
});
afterAll(async () => {
  await given.close();
  await provider.close();
});

const at = (rest: string) => `/panel/packages/${mine.id}${rest}`;
const tryOut = (mode: 'real' | 'demo') => ({ player_id: 'tester', game_id: 'moon', mode });

describe('games in the panel', () => {
  it('members list the games of the provider; other people get 404', async () => {
    const { status, body } = await member('GET', at('/games?search=sun'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ source: 'private', total: 1 });
    expect(body.data.games[0].game_id).toBe('sun');
    expect((await stranger('GET', at('/games'))).body.code).toBe('package_not_found');
    expect((await stranger('POST', at('/launch'), tryOut('demo'))).body.code).toBe('package_not_found');
  });

  it('members may launch only demos; a launch for real money by an owner is audited', async () => {
    const demo = await member('POST', at('/launch'), tryOut('demo'));
    expect(demo.body.data).toMatchObject({ mode: 'demo', source: 'private', balance: 3 });
    const refused = await member('POST', at('/launch'), tryOut('real'));
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const real = await owner('POST', at('/launch'), tryOut('real'));
    expect(real.status).toBe(200);
    const log = await owner('GET', at('/audit-log?action=game_launched'));
    expect(log.body.data.entries[0]).toMatchObject({
      subject: { kind: 'game_session', id: real.body.data.session_id },
      details: { player_id: 'tester', game_id: 'moon', mode: 'real' },
    });
    expect(log.text).not.toContain('/play/');
  });

  it.each([
    ['pending', 'package_not_approved'],
    ['suspended', 'package_suspended'],
  ] as const)('a test launch for a %s package is refused', async (state, code) => {
    const other = await given.package({ state });
    const { send } = await giveMember(given, other, 'owner');
    const answer = await send('POST', `/panel/packages/${other.id}/launch`, tryOut('demo'));
    expect(answer.body.code).toBe(code);
  });

  it('game sessions are listed in pages, newest first, with state and without the launch URL', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.unshift((await owner('POST', at('/launch'), tryOut('demo'))).body.data.session_id);
    }
    const first = await member('GET', at('/sessions?limit=2'));
    const second = await member('GET', at(`/sessions?limit=1&cursor=${first.body.data.next_cursor}`));
    const listed = [...first.body.data.sessions, ...second.body.data.sessions];
    expect(listed.map((session) => session.session_id)).toEqual(ids);
    expect(listed[0]).toMatchObject({ player_id: 'tester', game_id: 'moon', state: 'open' });
    expect(first.text).not.toContain('/play/');
    const wrong = await member('GET', at('/sessions?cursor=x'));
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('an owner enables the shared session, and the audit log records the change', async () => {
    expect((await owner('GET', at(''))).body.data.package.shared_launch).toBe(false);
    const changed = await owner('PATCH', at(''), { shared_launch: true });
    expect(changed.body.data.package.shared_launch).toBe(true);
    const log = await owner('GET', at('/audit-log?action=package_edited'));
    expect(log.body.data.entries[0].details).toEqual({ shared_launch: { from: false, to: true } });
    provider.faults = { 'private/launch': 'failing' };
    const launched = await owner('POST', at('/launch'), tryOut('demo'));
    expect(launched.body.data.source).toBe('shared');
    const { sessions } = (await owner('GET', at('/sessions?limit=1'))).body.data;
    expect(sessions[0]).toMatchObject({ source: 'shared', private_failure: 'wrong_status' });
  });
});

describe("the provider's health", () => {
  it("owners cannot read the provider's health or accept a shorter list", async () => {
    for (const path of ['/panel/admin/upstream', '/admin/v1/upstream']) {
      expect([401, 403]).toContain((await owner('GET', path)).status);
    }
    expect((await owner('GET', '/panel/upstream')).status).toBe(404);
    const accept = { source: 'private', total: 1 };
    const path = '/panel/admin/upstream/catalogue/accept';
    expect((await owner('POST', path, accept)).status).toBe(403);
  });

  it('the health shows the breaker and last failure of each source, and the catalogue’s age', async () => {
    given.clock.now = new Date(given.clock.now.getTime() + 60_000);
    await member('GET', at('/games'));
    given.clock.now = new Date(given.clock.now.getTime() + 60_000);
    provider.faults = { 'private/games': 'html', 'public/games': 'redirect' };
    for (let i = 0; i < 4; i++) await member('GET', at('/games'));
    for (const answer of [
      await administrator('GET', '/panel/admin/upstream'),
      await program('GET', '/admin/v1/upstream'),
    ]) {
      expect(answer.status).toBe(200);
      const { sources, catalogue } = answer.body.data;
      const find = (source: string) => sources.find((each: { source: string }) => each.source === source);
      expect(sources).toHaveLength(5);
      expect(find('private_catalogue')).toMatchObject({
        breaker: 'open',
        last_failure: 'not_json',
        last_failure_at: given.clock.now.toISOString(),
      });
      expect(find('registration')).toMatchObject({ breaker: 'closed', last_success_at: null });
      expect(catalogue).toMatchObject({ source: 'stale', total: 2, age_seconds: 60 });
    }
  });

  it.each([{}, { source: 'both', total: 1 }, { source: 'public' }, { source: 'public', total: -1 }])(
    'a request to accept a shorter list gets 400 if its body is %j',
    async (body) => {
      const answer = await program('POST', '/admin/v1/upstream/catalogue/accept', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    },
  );
});
