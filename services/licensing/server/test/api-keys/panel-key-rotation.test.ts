// API keys in the panel: revoke, rotate with an overlap, import.
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

describe('a revocation of an API key', () => {
  it('a revocation ends the key permanently, and a second revocation changes nothing', async () => {
    const { id, secret } = await generateKey(owner);
    expect(await callWithKey(given, secret)).toBe('ok');
    const answer = await owner.post(`${keys}/${id}/revoke`);
    expect(answer.body.data.api_key).toMatchObject({ state: 'revoked' });
    await expect.poll(() => callWithKey(given, secret)).toBe('api_key_revoked');
    await owner.post(`${keys}/${id}/revoke`);
    given.clock.now = new Date(start.getTime() - 60_000);
    expect(await callWithKey(given, secret), 'with a clock that is behind').toBe('api_key_revoked');
    expect(await listKeyActions(owner)).toEqual(['api_key_revoked', 'api_key_created']);
    const revived = await owner.patch(`${keys}/${id}`, { expires_at: null });
    expect([revived.status, revived.body.code]).toEqual([409, 'api_key_not_live']);
  });
});

describe('a rotation of an API key', () => {
  it.each([
    ['0', '2026-05-04T10:00:00Z'],
    ['1h', '2026-05-04T11:00:00Z'],
    ['24h', '2026-05-05T10:00:00Z'],
    ['7d', '2026-05-11T10:00:00Z'],
    ['30d', '2026-06-03T10:00:00Z'],
    [undefined, '2026-05-05T10:00:00Z'],
  ])('a rotation with an overlap of %s makes the old key expire at %s', async (overlap, end) => {
    const { id, secret } = await generateKey(owner);
    const { body } = await owner.post(`${keys}/${id}/rotate`, { ...(overlap && { overlap }) });
    const { api_key: fresh, secret: freshSecret, old_api_key: old } = body.data;
    expect(old).toMatchObject({ id, expires_at: end, replaced_by: fresh.id });
    expect(fresh).toMatchObject({ name: 'Website', state: 'active', scopes: old.scopes });
    expect(fresh).not.toHaveProperty('expires_at');
    expect(await callWithKey(given, freshSecret)).toBe('ok');
    given.clock.now = new Date(Date.parse(end) - 1);
    if (overlap !== '0') expect(await callWithKey(given, secret)).toBe('ok');
    given.clock.now = new Date(end);
    const ended = overlap === '0' ? 'api_key_revoked' : 'api_key_expired';
    await expect.poll(() => callWithKey(given, secret)).toBe(ended);
    expect(await callWithKey(given, freshSecret)).toBe('ok');
  });

  it('a rotation does not move the expiry of the old key to a later time', async () => {
    const { id } = await generateKey(owner, { expires_at: '2026-05-04T12:00:00Z' });
    const { body } = await owner.post(`${keys}/${id}/rotate`, { overlap: '30d' });
    expect(body.data.old_api_key.expires_at).toBe('2026-05-04T12:00:00Z');
  });

  it('the new key has the expiry of the old key unless another expiry is requested', async () => {
    const { id } = await generateKey(owner, { expires_at: '2026-08-01T00:00:00Z' });
    const first = (await owner.post(`${keys}/${id}/rotate`)).body.data.api_key;
    expect(first.expires_at).toBe('2026-08-01T00:00:00Z');
    const named = { expires_at: '2026-09-01T00:00:00Z' };
    const second = (await owner.post(`${keys}/${first.id}/rotate`, named)).body.data.api_key;
    expect(second.expires_at).toBe('2026-09-01T00:00:00Z');
  });

  it('a rotation is final: the replaced key can get an earlier expiry, but not a later one', async () => {
    const { id } = await generateKey(owner);
    await owner.post(`${keys}/${id}/rotate`, { overlap: '24h' });
    for (const expires_at of [null, '2026-05-06T10:00:00Z']) {
      const later = await owner.patch(`${keys}/${id}`, { expires_at });
      expect([later.status, later.body.code]).toEqual([409, 'api_key_not_live']);
      expect(later.body.errors.expires_at).toHaveLength(1);
    }
    const earlier = await owner.patch(`${keys}/${id}`, { expires_at: '2026-05-04T12:00:00Z' });
    expect(earlier.body.data.api_key.expires_at).toBe('2026-05-04T12:00:00Z');
    given.clock.now = new Date('2026-05-04T13:00:00Z');
    const revived = await owner.patch(`${keys}/${id}`, { expires_at: '2026-05-05T00:00:00Z' });
    expect(revived.status).toBe(409);
  });

  it('the new key has the item of the old key, and is for old plug-ins if the old key was', async () => {
    const itemId = Number(await given.item(workspaceId));
    const { id } = await generateKey(owner, { item_id: itemId });
    await owner.patch(`${keys}/${id}`, { legacy_item: true });
    const { body } = await owner.post(`${keys}/${id}/rotate`);
    expect(body.data.secret).toMatch(/^ck_pub_/);
    expect(body.data.api_key).toMatchObject({ item_id: itemId, legacy_item: true });
  });

  it('one of three concurrent rotations succeeds; a revoked key cannot be rotated', async () => {
    const { id } = await generateKey(owner);
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${keys}/${id}/rotate`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    const { id: ended } = await generateKey(owner);
    await owner.post(`${keys}/${ended}/revoke`);
    const refused = await owner.post(`${keys}/${ended}/rotate`);
    expect([refused.status, refused.body.code]).toEqual([409, 'api_key_not_live']);
    const wrong = await owner.post(`${keys}/${ended}/rotate`, { overlap: '2h' });
    expect(wrong.status).toBe(400);
  });

  it('a rotation of an API key is refused if the workspace already has 200 keys', async () => {
    const { id } = await generateKey(owner);
    await given.db.query(
      `insert into api_keys (workspace_id, name, kind, key_hash, key_sealed, hint, scopes, replaced_by)
       select $1, 'x', 'secret', sha256(n::text::bytea || $3::text::bytea), '', '', '{}', $2
       from generate_series(1, 199) n`,
      [workspaceId, id, String(workspaceId)],
    );
    const full = await owner.post(`${keys}/${id}/rotate`);
    expect([full.status, full.body.code]).toEqual([409, 'too_many_api_keys']);
  });

  it('after a rotation, the panel shows when and from where the old key was last used', async () => {
    const { id, secret } = await generateKey(owner);
    await owner.post(`${keys}/${id}/rotate`);
    await given.app.inject({
      url: '/api/account/details',
      headers: { 'x-api-key': secret },
      remoteAddress: '203.0.113.9',
    });
    await expect
      .poll(async () => (await owner.get(`${keys}/${id}`)).body.data.api_key.last_used)
      .toEqual({ at: '2026-05-04T10:00:00Z', address: '203.0.113.9' });
  });
});

describe('an import of an API key', () => {
  const importKey = (body: object) => owner.post(`${keys}/import`, { name: 'Old one', ...body });

  it('an imported key works unchanged, is shown by its last characters, and can be revealed', async () => {
    const old = `old-key-${workspaceId}-0123456789`;
    const { status, body, text } = await importKey({ api_key: old });
    expect(status).toBe(200);
    expect(body.data.api_key.hint).toBe('…6789');
    expect(text).not.toContain(old);
    expect(await callWithKey(given, old)).toBe('ok');
    const { password } = owner.person;
    const shown = await owner.post(`${keys}/${body.data.api_key.id}/reveal`, { password });
    expect(shown.body.data.secret).toBe(old);
    expect(await listKeyActions(owner)).toEqual(['api_key_revealed', 'api_key_imported']);
  });

  it.each([
    [15, 400],
    [16, 200],
    [128, 200],
    [129, 400],
  ])('an import of a key of %i characters gets status %i', async (length, status) => {
    const api_key = `${workspaceId}-`.padEnd(length, 'k');
    expect((await importKey({ api_key })).status).toBe(status);
  });

  it.each(['a key with spaces in it', 'schlüssel-mit-umlaut', 'line\nbreak-in-the-key'])(
    'an import is refused with 400 for the key %j, because no header can contain this text',
    async (api_key) => {
      expect((await importKey({ api_key })).status).toBe(400);
    },
  );

  it('an import of a key that exists in any workspace is refused, always with the same message', async () => {
    const own = await generateKey(owner);
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

  it('an import is refused with 429 after 60 failed imports, so that keys cannot be guessed', async () => {
    const guess = () => importKey({ api_key: 'long-enough-but-ü' });
    await Promise.all(Array.from({ length: 60 }, guess));
    const limited = await importKey({ api_key: 'long-enough-to-be-a-key' });
    expect([limited.status, limited.body.code]).toEqual([429, 'rate_limited']);
  });
});
