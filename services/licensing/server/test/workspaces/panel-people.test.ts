// The people of a workspace: members, roles, removal and invitations. No data of other people is shown.
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { givenPerson, givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

const given = setUpLicensing();
let workspaceId: bigint;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;

beforeEach(async () => {
  workspaceId = await given.workspace();
  owner = await givenSignedIn(given, workspaceId);
});

const entries = async () => (await owner.get(`${owner.base}/audit-log`)).body.data.entries;
const tokenOf = (url: string) => url.split('#token=')[1] ?? '';
const invite = (email: string, role = 'member') => owner.post(`${owner.base}/invitations`, { email, role });

describe('members of a workspace', () => {
  it('members are listed with role and second factor', async () => {
    const { body } = await owner.get(`${owner.base}/members`);
    expect(body.data.members).toEqual([
      {
        person_id: Number(owner.person.id),
        email: owner.person.email,
        name: 'Ada Byron',
        role: 'owner',
        second_factor: false,
        disabled: false,
        joined_at: expect.any(String),
      },
    ]);
  });

  it("an owner can change a member's role, which takes effect with the next request", async () => {
    const member = await givenSignedIn(given, workspaceId, 'member');
    const path = `${owner.base}/members/${member.person.id}`;
    const denied = await member.patch(path, { role: 'owner' });
    expect([denied.status, denied.body.code]).toEqual([403, 'forbidden']);
    expect((await owner.patch(path, { role: 'owner' })).status).toBe(200);
    expect((await member.patch(owner.base, { name: 'Mine too' })).status).toBe(200);
    expect((await entries())[1]).toMatchObject({
      action: 'role_changed',
      subject: { kind: 'person', id: String(member.person.id) },
      details: { from: 'member', to: 'owner' },
    });
    expect((await owner.patch(path, { role: 'administrator' })).status).toBe(400);
  });

  it('the last owner can neither become a member nor leave', async () => {
    const path = `${owner.base}/members/${owner.person.id}`;
    for (const answer of [await owner.patch(path, { role: 'member' }), await owner.delete(path)]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'last_owner']);
    }
  });

  it('a member whom an owner removes, or who leaves, no longer sees the workspace', async () => {
    const [first, second] = [
      await givenSignedIn(given, workspaceId, 'member'),
      await givenSignedIn(given, workspaceId, 'member'),
    ];
    const path = (person: { id: bigint }) => `${owner.base}/members/${person.id}`;
    expect((await first.delete(path(second.person))).body.code).toBe('forbidden');
    expect((await owner.delete(path(first.person))).status).toBe(200);
    expect((await second.delete(path(second.person))).status).toBe(200);
    for (const gone of [first, second]) {
      const answer = await gone.get(owner.base);
      expect([answer.status, answer.body.code]).toEqual([404, 'workspace_not_found']);
    }
    expect((await entries()).slice(0, 2)).toMatchObject([
      { action: 'member_removed', actor: { id: Number(second.person.id) } },
      { action: 'member_removed', actor: { id: Number(owner.person.id) } },
    ]);
  });

  it('the id of a person of another workspace gets the same 404 as an unknown id', async () => {
    const stranger = await givenPerson(given, [{ workspaceId: await given.workspace() }]);
    const answers = [];
    for (const id of [stranger.id, 999_999_999n, 'x', 0]) {
      answers.push(await owner.delete(`${owner.base}/members/${id}`));
      answers.push(await owner.patch(`${owner.base}/members/${id}`, { role: 'member' }));
    }
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([404, 'member_not_found']);
    }
  });
});

describe('invitations to a workspace', () => {
  it('an invitation link works once and makes the guest a member with the invited role', async () => {
    const made = await invite('new@guest.example');
    expect(made.body.data).toEqual({
      id: expect.any(Number),
      mail: 'off',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/welcome#token=cfl_/),
      expires_at: '2026-05-05T10:00:00Z',
    });
    const token = tokenOf(made.body.data.url);
    const guest = openBrowser(given);
    const person = { token, name: 'Grace', password: 'a long enough password' };
    expect((await guest.post('/panel/links/redeem', person)).status).toBe(200);
    expect((await guest.get(owner.base)).body.data.workspace.role).toBe('member');
    expect((await guest.post('/panel/links/redeem', person)).status).toBe(404);
    expect((await entries()).map((entry: { action: string }) => entry.action)).toEqual([
      'signed_in',
      'invitation_redeemed',
      'invitation_made',
      'signed_in',
    ]);
  });

  it('open invitations are listed without their link, and can be withdrawn', async () => {
    const { body } = await invite('open@guest.example', 'owner');
    const listed = await owner.get(`${owner.base}/invitations`);
    expect(listed.body.data.invitations).toEqual([
      {
        id: body.data.id,
        email: 'open@guest.example',
        role: 'owner',
        invited_by: Number(owner.person.id),
        created_at: '2026-05-04T10:00:00Z',
        expires_at: '2026-05-05T10:00:00Z',
      },
    ]);
    const path = `${owner.base}/invitations/${body.data.id}`;
    expect((await owner.delete(path)).status).toBe(200);
    expect((await owner.delete(path)).body.code).toBe('invitation_not_found');
    const inspected = await openBrowser(given).post('/panel/links/inspect', {
      token: tokenOf(body.data.url),
    });
    expect(inspected.body.code).toBe('link_invalid');
  });

  it('invitations to a workspace can be made only by owners; members can list them', async () => {
    const member = await givenSignedIn(given, workspaceId, 'member');
    const path = `${owner.base}/invitations`;
    expect((await member.get(path)).status).toBe(200);
    const refused = await member.post(path, { email: 'x@guest.example', role: 'owner' });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect((await member.delete(`${path}/1`)).body.code).toBe('forbidden');
  });

  it('an invitation does not reveal whether an e-mail belongs to a person of the service', async () => {
    const elsewhere = await givenPerson(given, [{ workspaceId: await given.workspace() }]);
    const known = await invite(elsewhere.email);
    const unknown = await invite('nobody@guest.example');
    const shape = (text: string) =>
      text.replace(/req_[\w-]+|cfl_[\w-]+|"id":\d+/g, '…').replace(elsewhere.email, 'E');
    expect(shape(known.text)).toBe(shape(unknown.text));
    const [second, first] = await entries();
    const plain = (entry: object, email: string) =>
      JSON.stringify({ ...entry, id: 0 }).replaceAll(email, 'E');
    expect(plain(first, elsewhere.email)).toBe(plain(second, 'nobody@guest.example'));
  });

  it('an invitation is refused for an existing member, and if 100 invitations are open', async () => {
    const again = await invite(owner.person.email);
    expect([again.status, again.body.code]).toEqual([409, 'already_member']);
    await given.db.query(
      `insert into one_time_links (token_hash, purpose, email, tenant_id, role, created_at, expires_at)
       select sha256(($1::bigint || '.' || n)::bytea), 'invitation', n || '@x.example', $1, 'member',
         $2::timestamptz, $2::timestamptz + interval '1 day' from generate_series(1, 100) n`,
      [workspaceId, given.clock.now],
    );
    const full = await invite('one@more.example');
    expect([full.status, full.body.code]).toEqual([409, 'too_many_invitations']);
  });
});
