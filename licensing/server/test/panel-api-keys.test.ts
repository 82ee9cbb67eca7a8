// API keys in the panel: generate, list, reveal, rename, expire, rotate, revoke, import.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from './given.ts';
import { givenSignedIn } from './panel-browser.ts';

let given: Given;
let workspaceId: bigint;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let keys: string;
const start = new Date('2026-05-04T10:00:00Z');

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

beforeEach(async () => {
  given.clock.now = start;
  workspaceId = await given.workspace();
  owner = await givenSignedIn(given, workspaceId);
  keys = `${owner.base}/api-keys`;
});

const call = async (key: string) => {
  const answer = await given.app.inject({
    url: '/api/account/details',
    headers: { 'x-api-key': key },
  });
  return answer.statusCode === 200 ? 'ok' : answer.json().code;
};

async function generate(body: object = {}): Promise<{ id: number; secret: string }> {
  const answer = await owner.post(keys, { name: 'Website', ...body });
  expect(answer.status, answer.text).toBe(200);
  return { id: answer.body.data.api_key.id, secret: answer.body.data.secret };
}

const actions = async () => {
  const { body } = await owner.get(`${owner.base}/audit-log`);
  return body.data.entries
    .map((entry: { action: string }) => entry.action)
    .filter((action: string) => action.startsWith('api_key'));
};

describe('generating', () => {
  it('a secret key works at once, reads by default, and is shown with a hint alone', async () => {
    const { body } = await owner.post(keys, { name: ' Website ' });
    const { api_key: key, secret } = body.data;
    expect(secret).toMatch(/^ck_live_[\w-]{43}$/);
    expect(await call(secret)).toBe('ok');
    expect(key).toEqual({
      id: expect.any(Number),
      name: 'Website',
      kind: 'secret',
      state: 'active',
      hint: `ck_live_…${secret.slice(-4)}`,
      scopes: ['account:read', 'items:read', 'purchases:validate'],
      legacy_item: false,
      created_at: '2026-05-04T10:00:00Z',
    });
    const listed = await owner.get(keys);
    expect(listed.body.data.api_keys).toEqual([key]);
    expect(listed.text).not.toContain(secret);
  });

  it('writing is a scope that must be chosen', async () => {
    const { body } = await owner.post(keys, {
      name: 'Shop',
      scopes: ['items:write', 'purchases:write', 'items:write'],
    });
    expect(body.data.api_key.scopes).toEqual(['items:write', 'purchases:write']);
    const wrong = await owner.post(keys, { name: 'Shop', scopes: ['everything'] });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('a publishable key is bound to a published item of the workspace, and validates alone', async () => {
    const itemId = Number(await given.item(workspaceId));
    const { body } = await owner.post(keys, { name: 'Plug-in', item_id: itemId });
    expect(body.data.secret).toMatch(/^ck_pub_/);
    expect(body.data.api_key).toMatchObject({
      kind: 'publishable',
      item_id: itemId,
      scopes: ['purchases:validate'],
    });
    expect(await call(body.data.secret)).toBe('insufficient_scope');
    const wide = await owner.post(keys, { name: 'X', item_id: itemId, scopes: ['account:read'] });
    expect([wide.status, Object.keys(wide.body.errors)]).toEqual([400, ['scopes']]);
  });

  it("a draft, an unknown item and another workspace's are refused in the same words", async () => {
    const foreign = await given.item(await given.workspace());
    const draft = await given.item(workspaceId, { state: 'draft', publishedAt: undefined });
    const refusals = [];
    for (const itemId of [foreign, draft, 999_999_999n]) {
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
    ['an expiry that is past', { name: 'X', expires_at: '2026-05-04T09:59:59Z' }],
    ['an expiry beyond ten years', { name: 'X', expires_at: '2099-01-01T00:00:00Z' }],
    ['the 30th of February', { name: 'X', expires_at: '2027-02-30T00:00:00Z' }],
    ['an expiry that is no text', { name: 'X', expires_at: 5 }],
    ['no scopes at all', { name: 'X', scopes: [] }],
    ['an item id of 0', { name: 'X', item_id: 0 }],
    ['an item id in quotes', { name: 'X', item_id: '5' }],
  ])('%s: 400, and no key', async (_title, body) => {
    const answer = await owner.post(keys, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    expect((await owner.get(keys)).body.data.api_keys).toEqual([]);
  });

  it('a workspace has at most 100 live keys; a revoked one makes room', async () => {
    for (let i = 0; i < 99; i++) await given.apiKey(workspaceId);
    const last = await generate();
    const full = await owner.post(keys, { name: 'One more' });
    expect([full.status, full.body.code]).toEqual([409, 'too_many_api_keys']);
    await owner.post(`${keys}/${last.id}/revoke`);
    await generate();
  });

  it('the limit holds when twenty ask at once', async () => {
    for (let i = 0; i < 98; i++) await given.apiKey(workspaceId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post(keys, { name: 'Race' })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
  });
});

describe('listing', () => {
  it('goes in pages, the newest first', async () => {
    for (let i = 0; i < 5; i++) await generate({ name: `Key ${i}` });
    const first = await owner.get(`${keys}?limit=3`);
    const names = (answer: { body: { data: { api_keys: { name: string }[] } } }) =>
      answer.body.data.api_keys.map((key) => key.name);
    expect(names(first)).toEqual(['Key 4', 'Key 3', 'Key 2']);
    const second = await owner.get(`${keys}?limit=3&cursor=${first.body.data.next_cursor}`);
    expect(names(second)).toEqual(['Key 1', 'Key 0']);
    expect(second.body.data.next_cursor).toBeUndefined();
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=-1'])(
    '%s: 400',
    async (query) => {
      expect((await owner.get(`${keys}?${query}`)).status).toBe(400);
    },
  );

  it('an unknown key is not found, however its id is spelled', async () => {
    for (const id of ['999999999', '0', '-1', 'x', '1'.repeat(40), '%00']) {
      const answer = await owner.get(`${keys}/${id}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'api_key_not_found']);
    }
  });
});

describe('revealing', () => {
  it('gives the key again to an owner who repeats the password', async () => {
    const { id, secret } = await generate();
    const { password } = owner.person;
    const answer = await owner.post(`${keys}/${id}/reveal`, { password });
    expect([answer.status, answer.body.data]).toEqual([200, { secret }]);
    expect(await actions()).toEqual(['api_key_revealed', 'api_key_created']);
  });

  it('a wrong password gives nothing, and ten of them lock the reveal', async () => {
    const { id } = await generate();
    for (let i = 0; i < 10; i++) {
      const wrong = await owner.post(`${keys}/${id}/reveal`, { password: 'guess' });
      expect([wrong.status, wrong.body.code]).toEqual([403, 'password_wrong']);
    }
    const { password } = owner.person;
    const locked = await owner.post(`${keys}/${id}/reveal`, { password });
    expect([locked.status, locked.body.code]).toEqual([429, 'rate_limited']);
    expect(await actions()).toEqual(['api_key_created']);
  });
});

describe('changing', () => {
  it('renames, and the trail says from what to what', async () => {
    const { id } = await generate();
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

  it('what changes nothing leaves no trail', async () => {
    const { id } = await generate();
    await owner.patch(`${keys}/${id}`, { name: 'Website' });
    await owner.patch(`${keys}/${id}`, {});
    expect(await actions()).toEqual(['api_key_created']);
  });

  it('an expiry holds at its moment, can be moved, and taken away', async () => {
    const { id, secret } = await generate({ expires_at: '2026-05-04T11:00:00Z' });
    given.clock.now = new Date('2026-05-04T10:59:59.999Z');
    expect(await call(secret)).toBe('ok');
    given.clock.now = new Date('2026-05-04T11:00:00Z');
    expect(await call(secret)).toBe('api_key_expired');
    expect((await owner.get(`${keys}/${id}`)).body.data.api_key.state).toBe('expired');
    await owner.patch(`${keys}/${id}`, { expires_at: '2026-05-04T12:00:00Z' });
    await expect.poll(() => call(secret)).toBe('ok');
    const never = await owner.patch(`${keys}/${id}`, { expires_at: null });
    expect(never.body.data.api_key).not.toHaveProperty('expires_at');
  });

  it('the switch for old plug-ins is off until it is put on', async () => {
    const { id } = await generate();
    const answer = await owner.patch(`${keys}/${id}`, { legacy_item: true });
    expect(answer.body.data.api_key.legacy_item).toBe(true);
  });
});

describe('revoking', () => {
  it('ends the key for good; twice is once', async () => {
    const { id, secret } = await generate();
    expect(await call(secret)).toBe('ok');
    const answer = await owner.post(`${keys}/${id}/revoke`);
    expect(answer.body.data.api_key).toMatchObject({ state: 'revoked' });
    await expect.poll(() => call(secret)).toBe('api_key_revoked');
    await owner.post(`${keys}/${id}/revoke`);
    given.clock.now = new Date(start.getTime() - 60_000);
    expect(await call(secret), 'by a clock that is behind').toBe('api_key_revoked');
    expect(await actions()).toEqual(['api_key_revoked', 'api_key_created']);
    const revived = await owner.patch(`${keys}/${id}`, { expires_at: null });
    expect([revived.status, revived.body.code]).toEqual([409, 'api_key_not_live']);
  });
});

describe('rotating', () => {
  it.each([
    ['0', '2026-05-04T10:00:00Z'],
    ['1h', '2026-05-04T11:00:00Z'],
    ['24h', '2026-05-05T10:00:00Z'],
    ['7d', '2026-05-11T10:00:00Z'],
    ['30d', '2026-06-03T10:00:00Z'],
    [undefined, '2026-05-05T10:00:00Z'],
  ])('with an overlap of %s the old key ends at %s', async (overlap, end) => {
    const { id, secret } = await generate();
    const { body } = await owner.post(`${keys}/${id}/rotate`, { ...(overlap && { overlap }) });
    const { api_key: fresh, secret: freshSecret, old_api_key: old } = body.data;
    expect(old).toMatchObject({ id, expires_at: end, replaced_by: fresh.id });
    expect(fresh).toMatchObject({ name: 'Website', state: 'active', scopes: old.scopes });
    expect(fresh).not.toHaveProperty('expires_at');
    expect(await call(freshSecret)).toBe('ok');
    given.clock.now = new Date(Date.parse(end) - 1);
    if (overlap !== '0') expect(await call(secret)).toBe('ok');
    given.clock.now = new Date(end);
    const ended = overlap === '0' ? 'api_key_revoked' : 'api_key_expired';
    await expect.poll(() => call(secret)).toBe(ended);
    expect(await call(freshSecret)).toBe('ok');
  });

  it('never gives the old key a longer life', async () => {
    const { id } = await generate({ expires_at: '2026-05-04T12:00:00Z' });
    const { body } = await owner.post(`${keys}/${id}/rotate`, { overlap: '30d' });
    expect(body.data.old_api_key.expires_at).toBe('2026-05-04T12:00:00Z');
  });

  it('keeps what the key is bound to', async () => {
    const itemId = Number(await given.item(workspaceId));
    const { id } = await generate({ item_id: itemId });
    await owner.patch(`${keys}/${id}`, { legacy_item: true });
    const { body } = await owner.post(`${keys}/${id}/rotate`);
    expect(body.data.secret).toMatch(/^ck_pub_/);
    expect(body.data.api_key).toMatchObject({ item_id: itemId, legacy_item: true });
  });

  it('happens once to a key, though two ask at the same moment; ended keys are refused', async () => {
    const { id } = await generate();
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${keys}/${id}/rotate`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    const { id: ended } = await generate();
    await owner.post(`${keys}/${ended}/revoke`);
    const refused = await owner.post(`${keys}/${ended}/rotate`);
    expect([refused.status, refused.body.code]).toEqual([409, 'api_key_not_live']);
    const wrong = await owner.post(`${keys}/${ended}/rotate`, { overlap: '2h' });
    expect(wrong.status).toBe(400);
  });

  it('cannot be used to get around the limit', async () => {
    const { id } = await generate();
    await given.db.query(
      `insert into api_keys (workspace_id, name, kind, key_hash, key_sealed, hint, scopes, replaced_by)
       select $1, 'x', 'secret', sha256(n::text::bytea || $3::text::bytea), '', '', '{}', $2
       from generate_series(1, 199) n`,
      [workspaceId, id, String(workspaceId)],
    );
    const full = await owner.post(`${keys}/${id}/rotate`);
    expect([full.status, full.body.code]).toEqual([409, 'too_many_api_keys']);
  });

  it('shows when and from where the old key was last used', async () => {
    const { id, secret } = await generate();
    await owner.post(`${keys}/${id}/rotate`);
    await given.app.inject({
      url: '/api/account/details',
      headers: { 'x-api-key': secret },
      remoteAddress: '203.0.113.9',
    });
    await expect
      .poll(async () => (await owner.get(`${keys}/${id}`)).body.data.api_key.last_used, {
        timeout: 5000,
      })
      .toEqual({ at: '2026-05-04T10:00:00Z', address: '203.0.113.9' });
  });
});

describe('importing', () => {
  const importKey = (body: object) => owner.post(`${keys}/import`, { name: 'Old one', ...body });

  it('takes a key as it is, shows its end alone, and reveals it whole', async () => {
    const old = `old-key-${workspaceId}-0123456789`;
    const { status, body, text } = await importKey({ api_key: old });
    expect(status).toBe(200);
    expect(body.data.api_key.hint).toBe('…6789');
    expect(text).not.toContain(old);
    expect(await call(old)).toBe('ok');
    const { password } = owner.person;
    const shown = await owner.post(`${keys}/${body.data.api_key.id}/reveal`, { password });
    expect(shown.body.data.secret).toBe(old);
    expect(await actions()).toEqual(['api_key_revealed', 'api_key_imported']);
  });

  it.each([
    [15, 400],
    [16, 200],
    [128, 200],
    [129, 400],
  ])('a key of %i characters: %i', async (length, status) => {
    const api_key = `${workspaceId}-`.padEnd(length, 'k');
    expect((await importKey({ api_key })).status).toBe(status);
  });

  it.each(['a key with spaces in it', 'schlüssel-mit-umlaut', 'line\nbreak-in-the-key'])(
    '%j cannot travel in a header: 400',
    async (api_key) => {
      expect((await importKey({ api_key })).status).toBe(400);
    },
  );

  it('refuses a key that exists anywhere, in the same words wherever that is', async () => {
    const own = await generate();
    const foreign = await given.apiKey(await given.workspace());
    const ended = await given.apiKey(await given.workspace(), { revokedAt: start });
    for (const api_key of [own.secret, foreign, ended]) {
      const answer = await importKey({ api_key });
      expect([answer.status, answer.body.code, answer.body.msg]).toEqual([
        409,
        'api_key_exists',
        'This key exists already',
      ]);
    }
  });

  it('is as slow to try keys on as the API itself', async () => {
    for (let i = 0; i < 60; i++) await importKey({ api_key: 'short' });
    const limited = await importKey({ api_key: 'long-enough-to-be-a-key' });
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
  });
});

describe('roles', () => {
  it('a member reads the list and may do nothing else', async () => {
    const { id } = await generate();
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
    for (const { status, body } of attempts)
      expect([status, body.code]).toEqual([403, 'forbidden']);
  });
});
