// Workspaces in the panel: the list of a person, the settings, and the seller's profile.
import { describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { givenPerson, givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

const given = setUpLicensing();

const lastEntry = async (owner: Awaited<ReturnType<typeof givenSignedIn>>) =>
  (await owner.get(`${owner.base}/audit-log?limit=1`)).body.data.entries[0];

describe('the workspaces of a person', () => {
  it('workspaces are listed by name, each with the role of the signed-in person', async () => {
    const zebra = await given.workspace({ name: 'Zebra' });
    const apple = await given.workspace({ name: 'Apple', supportEnabled: false });
    await given.workspace({ name: 'Not mine' });
    const { email, password } = await givenPerson(given, [
      { workspaceId: zebra, role: 'owner' },
      { workspaceId: apple, role: 'member' },
    ]);
    const browser = openBrowser(given);
    await browser.post('/panel/session', { email, password });
    const { body } = await browser.get('/panel/workspaces');
    expect(body.data.workspaces).toMatchObject([
      { id: Number(apple), name: 'Apple', support_enabled: false, role: 'member' },
      { id: Number(zebra), name: 'Zebra', support_enabled: true, role: 'owner' },
    ]);
  });

  it('workspaces are not listed if the request has no session', async () => {
    const answer = await openBrowser(given).get('/panel/workspaces');
    expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
  });
});

describe('the settings of a workspace', () => {
  it('the settings are read by members and changed by owners, with an audit line', async () => {
    const workspaceId = await given.workspace({ name: 'Before' });
    const owner = await givenSignedIn(given, workspaceId);
    const member = await givenSignedIn(given, workspaceId, 'member');
    expect((await member.get(owner.base)).body.data.workspace).toMatchObject({
      name: 'Before',
      support_enabled: true,
      role: 'member',
    });
    const refused = await member.patch(owner.base, { name: 'X' });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const changed = await owner.patch(owner.base, { name: ' After ', support_enabled: false });
    expect(changed.body.data.workspace).toMatchObject({ name: 'After', support_enabled: false });
    expect(await lastEntry(owner)).toMatchObject({
      action: 'workspace_changed',
      details: { name: { from: 'Before', to: 'After' }, support_enabled: false },
    });
  });

  it('mail to buyers about ending support is off by default; owners can switch it on', async () => {
    const workspaceId = await given.workspace();
    const owner = await givenSignedIn(given, workspaceId);
    const member = await givenSignedIn(given, workspaceId, 'member');
    expect((await member.get(owner.base)).body.data.workspace.buyer_support_mail).toBe('off');
    expect((await member.patch(owner.base, { buyer_support_mail: 'en' })).status).toBe(403);
    for (const wrong of ['on', 'fr', '', true, null]) {
      const { status, body } = await owner.patch(owner.base, { buyer_support_mail: wrong });
      expect([status, Object.keys(body.errors)]).toEqual([400, ['buyer_support_mail']]);
    }
    const changed = await owner.patch(owner.base, { buyer_support_mail: 'de' });
    expect(changed.body.data.workspace.buyer_support_mail).toBe('de');
    expect(await lastEntry(owner)).toMatchObject({
      action: 'workspace_changed',
      details: { buyer_support_mail: { from: 'off', to: 'de' } },
    });
  });

  it('the next validation has no supported_until if support is switched off', async () => {
    const workspaceId = await given.workspace();
    const owner = await givenSignedIn(given, workspaceId);
    const itemId = await given.item(workspaceId);
    const supportedUntil = new Date('2027-01-01T00:00:00Z');
    const { code } = await given.purchase(workspaceId, itemId, { supportedUntil });
    const key = await given.apiKey(workspaceId);
    const validate = async () => {
      const answer = await given.app.inject({
        method: 'POST',
        url: '/api/purchases/validation',
        headers: { 'x-api-key': key },
        payload: { purchase_code: code },
      });
      return answer.json().data.purchase.supported_until;
    };
    expect(await validate()).toBe('2027-01-01T00:00:00Z');
    await owner.patch(owner.base, { support_enabled: false });
    expect(await validate()).toBeUndefined();
  });

  it.each([{ name: '' }, { name: '   ' }, { name: 'a\0' }, { name: 5 }, { support_enabled: 'yes' }])(
    'the settings %j are refused with 400',
    async (body) => {
      const owner = await givenSignedIn(given, await given.workspace());
      expect((await owner.patch(owner.base, body)).status).toBe(400);
    },
  );
});

describe("the seller's profile", () => {
  it("the seller's profile can be changed field by field, and the API shows the change at once", async () => {
    const workspaceId = await given.workspace({
      account: { email: 'a@x.example', currency: 'USD', firstname: 'Ada', balanceMinor: 100n },
    });
    const owner = await givenSignedIn(given, workspaceId);
    const change = {
      lastname: 'Byron',
      email: 'new@x.example',
      description: 'Two\nlines',
      social_links: { mastodon: 'https://social.example/@ada' },
      avatar: 'https://m.example/a.png',
    };
    const notTheirs = { ...change, balance: 1_000_000, currency: 'EUR' };
    const refused = await owner.patch(`${owner.base}/account`, notTheirs);
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body.errors).sort()).toEqual(['balance', 'currency']);
    const answer = await owner.patch(`${owner.base}/account`, change);
    expect(answer.status, answer.text).toBe(200);
    const key = await given.apiKey(workspaceId);
    const shown = await given.app.inject({
      url: '/api/account/details',
      headers: { 'x-api-key': key },
    });
    expect(shown.json().data).toEqual(answer.body.data.account);
    expect(shown.json().data).toMatchObject({
      name: { full_name: 'Ada Byron' },
      email: 'new@x.example',
      balance: 1,
      currency: 'USD',
      profile: { description: 'Two\nlines', social_links: change.social_links },
    });
    const entry = await lastEntry(owner);
    expect(entry).toMatchObject({
      action: 'account_changed',
      details: { fields: ['lastname', 'email', 'description', 'socialLinks', 'avatarUrl'] },
    });
    expect(JSON.stringify(entry)).not.toContain('new@x.example');
  });

  it.each([
    { avatar: 'javascript:alert(1)' },
    { avatar: 'javascript:alert(1)', social_links: { avatar: 'https://x.example/' } },
    { cover: 'https://user:pass@x.example/' },
    { social_links: { github: 'no address' } },
    { social_links: { 'a\0': 'https://x.example' } },
    { email: 'no e-mail' },
    { heading: 'two\nlines' },
    { description: 'x'.repeat(10_001) },
    { firstname: 5 },
  ])("the seller's profile cannot be changed to %j, which is refused with 400", async (body) => {
    const owner = await givenSignedIn(given, await given.workspace());
    const answer = await owner.patch(`${owner.base}/account`, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });
});
