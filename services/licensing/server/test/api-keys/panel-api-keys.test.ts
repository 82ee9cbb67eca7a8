// API keys in the panel: generate, list, reveal, rename and expire, and the role that each action needs.
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { callWithKey, generateKey, listKeyActions } from '../environment/keys.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing();
let workspaceId: bigint;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let keys: string;
const start = new Date('2026-05-04T10:00:00Z');

beforeEach(async () => {
  given.clock.now = start;
  workspaceId = await given.workspace();
  owner = await givenSignedIn(given, workspaceId);
  keys = `${owner.base}/api-keys`;
});

describe('a new API key', () => {
  it('a new key works at once as a secret key with read scopes; the list shows only its hint', async () => {
    const { body } = await owner.post(keys, { name: ' Website ' });
    const { api_key: key, secret } = body.data;
    expect(secret).toMatch(/^ck_live_[\w-]{43}$/);
    expect(await callWithKey(given, secret)).toBe('ok');
    expect(key).toEqual({
      id: expect.any(Number),
      name: 'Website',
      mode: 'live',
      kind: 'secret',
      state: 'active',
      hint: `ck_live_…${secret.slice(-4)}`,
      scopes: ['account:read', 'items:read', 'purchases:validate'],
      legacy_item: false,
      created_at: '2026-05-04T10:00:00Z',
    });
    const listed = await owner.get(keys);
    // The use of the key is recorded in the background, so the list may or may not contain the use yet.
    expect(listed.body.data.api_keys).toMatchObject([key]);
    expect(listed.text).not.toContain(secret);
  });

  it('a new API key gets the requested write scopes, and an unknown scope is refused', async () => {
    const { body } = await owner.post(keys, {
      name: 'Shop',
      scopes: ['items:write', 'purchases:write', 'items:write'],
    });
    expect(body.data.api_key.scopes).toEqual(['items:write', 'purchases:write']);
    const wrong = await owner.post(keys, { name: 'Shop', scopes: ['everything'] });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('a publishable key is bound to a published item, and can only validate and activate codes', async () => {
    const itemId = Number(await given.item(workspaceId));
    const { body } = await owner.post(keys, { name: 'Plug-in', item_id: itemId });
    expect(body.data.secret).toMatch(/^ck_pub_/);
    expect(body.data.api_key).toMatchObject({
      kind: 'publishable',
      item_id: itemId,
      scopes: ['purchases:validate', 'activations:write'],
    });
    expect(await callWithKey(given, body.data.secret)).toBe('insufficient_scope');
    const wide = await owner.post(keys, { name: 'X', item_id: itemId, scopes: ['account:read'] });
    expect([wide.status, Object.keys(wide.body.errors)]).toEqual([400, ['scopes']]);
  });

  it('a key for a draft, an unknown item or another workspace’s item gets the same refusal', async () => {
    const foreign = await given.item(await given.workspace());
    const draft = await given.item(workspaceId, { state: 'draft', publishedAt: undefined });
    const refusals = [];
    for (const itemId of [foreign, draft, 999_999_999n, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await owner.post(keys, { name: 'X', item_id: Number(itemId) });
      refusals.push({ status, errors: body.errors });
    }
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(refusals[0]).toEqual({
      status: 400,
      errors: { item_id: ['must be a published item of this workspace.'] },
    });
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '  ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a NUL in the name', { name: 'a\0b' }],
    ['a lone surrogate in the name', { name: '\ud800' }],
    ['an expiry in the past', { name: 'X', expires_at: '2026-05-04T09:59:59Z' }],
    ['an expiry beyond ten years', { name: 'X', expires_at: '2099-01-01T00:00:00Z' }],
    ['the 30th of February', { name: 'X', expires_at: '2027-02-30T00:00:00Z' }],
    ['an expiry that is not a text', { name: 'X', expires_at: 5 }],
    ['no scopes at all', { name: 'X', scopes: [] }],
    ['an item id of 0', { name: 'X', item_id: 0 }],
    ['an item id in quotes', { name: 'X', item_id: '5' }],
    ['an item id beyond the safe integers', { name: 'X', item_id: 2 ** 53 }],
    ['an item id beyond 64 bits', { name: 'X', item_id: 2 ** 63 }],
    ['an item id with an exponent', { name: 'X', item_id: 1e21 }],
  ])('a new key with %s is refused with 400, and no key is created', async (_title, body) => {
    const brought = { ...body, api_key: 'old_0123456789abcdef' };
    for (const answer of [await owner.post(keys, body), await owner.post(`${keys}/import`, brought)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    }
    expect((await owner.get(keys)).body.data.api_keys).toEqual([]);
  });

  it('a new key is refused if the workspace has 100 valid keys; revoked keys do not count', async () => {
    await Promise.all(Array.from({ length: 99 }, () => given.apiKey(workspaceId)));
    const last = await generateKey(owner);
    const full = await owner.post(keys, { name: 'One more' });
    expect([full.status, full.body.code]).toEqual([409, 'too_many_api_keys']);
    await owner.post(`${keys}/${last.id}/revoke`);
    await generateKey(owner);
  });

  it('no more than 100 keys are created, even if twenty requests for a key are concurrent', async () => {
    await Promise.all(Array.from({ length: 98 }, () => given.apiKey(workspaceId)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.post(keys, { name: 'Race' })));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
    const { rows } = await given.db.query('select 1 from api_keys where workspace_id = $1', [workspaceId]);
    expect(rows).toHaveLength(100);
  });
});

describe('reading API keys', () => {
  it('the API keys are listed in pages, newest first', async () => {
    for (let i = 0; i < 5; i++) await generateKey(owner, { name: `Key ${i}` });
    const first = await owner.get(`${keys}?limit=3`);
    const names = (answer: { body: { data: { api_keys: { name: string }[] } } }) =>
      answer.body.data.api_keys.map((key) => key.name);
    expect(names(first)).toEqual(['Key 4', 'Key 3', 'Key 2']);
    const second = await owner.get(`${keys}?limit=3&cursor=${first.body.data.next_cursor}`);
    expect(names(second)).toEqual(['Key 1', 'Key 0']);
    expect(second.body.data.next_cursor).toBeUndefined();
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=-1'])(
    'the list of API keys refuses the query %s with 400',
    async (query) => {
      expect((await owner.get(`${keys}?${query}`)).status).toBe(400);
    },
  );

  it('an unknown API key gets 404, however its id is spelled', async () => {
    for (const id of ['999999999', '0', '-1', 'x', '1'.repeat(40), '%00']) {
      const answer = await owner.get(`${keys}/${id}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'api_key_not_found']);
    }
  });
});

describe('revealing an API key', () => {
  it('an API key is shown again to an owner who enters the password', async () => {
    const { id, secret } = await generateKey(owner);
    const { password } = owner.person;
    const answer = await owner.post(`${keys}/${id}/reveal`, { password });
    expect([answer.status, answer.body.data]).toEqual([200, { secret }]);
    expect(await listKeyActions(owner)).toEqual(['api_key_revealed', 'api_key_created']);
  });

  it('revealing a key is refused with a wrong password, and locked after ten wrong passwords', async () => {
    const { id } = await generateKey(owner);
    for (let i = 0; i < 10; i++) {
      const wrong = await owner.post(`${keys}/${id}/reveal`, { password: 'guess' });
      expect([wrong.status, wrong.body.code]).toEqual([403, 'password_wrong']);
    }
    const { password } = owner.person;
    const locked = await owner.post(`${keys}/${id}/reveal`, { password });
    expect([locked.status, locked.body.code]).toEqual([429, 'rate_limited']);
    expect(await listKeyActions(owner)).toEqual(['api_key_created']);
  });
});

describe('a change of an API key', () => {
  it('a change can rename the key, and the audit line has the old and the new name', async () => {
    const { id } = await generateKey(owner);
    const answer = await owner.patch(`${keys}/${id}`, { name: 'Shop' });
    expect(answer.body.data.api_key.name).toBe('Shop');
    const { body } = await owner.get(`${owner.base}/audit-log?action=api_key_changed`);
    expect(body.data.entries[0]).toMatchObject({
      actor: { kind: 'person', id: Number(owner.person.id), name: 'Ada Byron' },
      subject: { kind: 'api_key', id: String(id) },
      details: { name: { from: 'Website', to: 'Shop' } },
      address: '10.0.0.1',
    });
  });

  it('a change that has no effect leaves no audit line', async () => {
    const { id } = await generateKey(owner);
    await owner.patch(`${keys}/${id}`, { name: 'Website' });
    await owner.patch(`${keys}/${id}`, {});
    expect(await listKeyActions(owner)).toEqual(['api_key_created']);
  });

  it('a change can move or remove the expiry; the key is refused from its expiry on', async () => {
    const { id, secret } = await generateKey(owner, { expires_at: '2026-05-04T11:00:00Z' });
    given.clock.now = new Date('2026-05-04T10:59:59.999Z');
    expect(await callWithKey(given, secret)).toBe('ok');
    given.clock.now = new Date('2026-05-04T11:00:00Z');
    expect(await callWithKey(given, secret)).toBe('api_key_expired');
    expect((await owner.get(`${keys}/${id}`)).body.data.api_key.state).toBe('expired');
    await owner.patch(`${keys}/${id}`, { expires_at: '2026-05-04T12:00:00Z' });
    await expect.poll(() => callWithKey(given, secret)).toBe('ok');
    const never = await owner.patch(`${keys}/${id}`, { expires_at: null });
    expect(never.body.data.api_key).not.toHaveProperty('expires_at');
  });

  it('an owner can turn on the answers for old plug-ins, and the audit log records this', async () => {
    const { id } = await generateKey(owner);
    const answer = await owner.patch(`${keys}/${id}`, { legacy_item: true });
    expect(answer.body.data.api_key.legacy_item).toBe(true);
    const made = await owner.post(keys, { name: 'Old plug-in', legacy_item: true });
    expect(made.body.data.api_key.legacy_item).toBe(true);
    const { body: log } = await owner.get(`${owner.base}/audit-log`);
    const noted = log.data.entries.filter((entry: { details: object }) =>
      JSON.stringify(entry.details).includes('"legacy_item":true'),
    );
    expect(noted).toMatchObject([{ action: 'api_key_created' }, { action: 'api_key_changed' }]);
  });
});

describe('the role of a person', () => {
  it('a member can read API keys, but cannot create, change or reveal a key', async () => {
    const { id } = await generateKey(owner);
    const member = await givenSignedIn(given, workspaceId, 'member');
    expect((await member.get(keys)).status).toBe(200);
    expect((await member.get(`${keys}/${id}`)).status).toBe(200);
    const { password } = member.person;
    const attempts = [
      await member.post(keys, { name: 'X' }),
      await member.post(`${keys}/import`, { name: 'X', api_key: 'k'.repeat(20) }),
      await member.patch(`${keys}/${id}`, { name: 'X' }),
      await member.post(`${keys}/${id}/rotate`),
      await member.post(`${keys}/${id}/revoke`),
      await member.post(`${keys}/${id}/reveal`, { password }),
    ];
    for (const { status, body } of attempts) expect([status, body.code]).toEqual([403, 'forbidden']);
  });
});

describe('the kind and the scopes of an API key', () => {
  it('a publishable key needs an item, and a secret key must not have an item', async () => {
    const missing = await owner.post(keys, { name: 'Shop', kind: 'publishable' });
    expect(missing.status).toBe(400);
    expect(missing.body.errors).toEqual({ item_id: ['is required for a publishable key.'] });
    const item_id = Number(await given.item(workspaceId));
    const both = await owner.post(keys, { name: 'Shop', kind: 'secret', item_id });
    expect(both.body.errors).toEqual({ item_id: ['is not for secret keys.'] });
    const made = await owner.post(keys, { name: 'Shop', kind: 'publishable', item_id });
    expect(made.body.data.secret).toMatch(/^ck_pub_/);
  });

  it('the scopes of a key cannot be changed later, and the error names the field scopes', async () => {
    const { body } = await owner.post(keys, { name: 'Shop' });
    const url = `${keys}/${body.data.api_key.id}`;
    const refused = await owner.patch(url, { name: 'Other', scopes: ['items:write'] });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['scopes']]);
    expect((await owner.get(url)).body.data.api_key.name).toBe('Shop');
  });
});
