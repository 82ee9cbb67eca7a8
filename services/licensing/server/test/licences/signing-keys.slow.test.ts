// The signing keys of a workspace: created once, sealed at rest, and rotated with notice and overlap.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { selectSigningKeys } from '../../src/signing-keys/queries.ts';
import { openPrivateKey } from '../../src/signing-keys/signing-key.ts';
import { auditActions, bothClients, keyClient, type TestClient } from '../environment/clients.ts';
import { openCommand, type TestCommand } from '../environment/command.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const day = 86_400_000;
let given: Given;
let command: TestCommand;
let workspaceId: bigint;
let client: TestClient;

beforeAll(async () => {
  given = await givenLicensing();
  command = await openCommand(given, '');
});
beforeEach(async () => {
  workspaceId = await given.workspace();
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
});
afterAll(async () => {
  await command.close();
  await given.close();
});

const rotate = (body: object = {}, by = client) => by.send('POST', '/signing-keys/rotate', body);
const later = (days: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + days * day);
  given.memoryClock.ms = (given.memoryClock.ms ?? 0) + 60_000;
};
const listPublic = async (): Promise<string[]> => {
  const answer = await given.app.inject({ url: `/.well-known/jwks/${workspaceId}.json` });
  return answer.json().keys.map(({ kid }: { kid: string }) => kid);
};
const listStates = async () =>
  (await client.send('GET', '/signing-keys')).body.data.signing_keys.map(
    (key: { state: string }) => key.state,
  );

describe('a rotation', () => {
  it('a rotation creates a key that signs at once; the old key stays public in the overlap', async () => {
    const first = (await rotate()).body.data.signing_keys;
    expect(first).toMatchObject([{ state: 'current', published_until: '' }]);
    const second = (await rotate({ overlap_days: 30 })).body.data.signing_keys;
    expect(second).toMatchObject([{ state: 'current' }, { state: 'retiring', kid: first[0].kid }]);
    expect(await listPublic()).toEqual(second.map(({ kid }: { kid: string }) => kid));
    later(31);
    expect(await listStates()).toEqual(['current', 'retired']);
    expect(await listPublic()).toEqual([second[0].kid]);
    expect(await auditActions(given, workspaceId)).toEqual([
      'signing_key_created',
      'signing_key_created',
      'signing_key_rotated',
    ]);
  });

  it('a rotation with notice publishes the new key before the key begins to sign', async () => {
    await rotate();
    await rotate({ notice_days: 7, overlap_days: 1 });
    expect(await listStates()).toEqual(['next', 'current']);
    expect(await listPublic()).toHaveLength(2);
    later(7);
    expect(await listStates()).toEqual(['current', 'retiring']);
    later(1);
    expect(await listStates()).toEqual(['current', 'retired']);
  });

  it('a rotation without notice and overlap makes a waiting key sign now, and ends the old key', async () => {
    await rotate();
    await rotate({ notice_days: 90 });
    await rotate({ notice_days: 0, overlap_days: 0 });
    expect(await listStates()).toEqual(['current', 'retired']);
    expect(await listPublic()).toHaveLength(1);
  });

  it('a rotation is refused while 20 keys are public', async () => {
    for (let n = 0; n < 20; n++) expect((await rotate()).status).toBe(200);
    const refused = await rotate();
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_signing_keys']);
  });

  it.each([[{ overlap_days: 401 }], [{ notice_days: -1 }], [{ overlap_days: '1' }], [{ overlap: 1 }]])(
    'a rotation refuses the options %j',
    async (body) => {
      const answer = await rotate(body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
      expect(await listStates()).toEqual([]);
    },
  );

  it('one signing key is created even if the first eight licences are issued concurrently', async () => {
    const itemId = await given.item(workspaceId);
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => given.purchase(workspaceId, itemId).then(({ code }) => code)),
    );
    const answers = await Promise.all(
      codes.map((code) => client.send('POST', '/licences', { purchase_code: code, domain: 'a.example' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await listStates()).toEqual(['current']);
  });
});

describe('a signing key', () => {
  it('the private key is stored sealed, and no answer, log or audit line contains it', async () => {
    const [byKey, byPanel] = await bothClients(given, workspaceId);
    const answers = [
      await rotate({}, byPanel),
      await rotate({}, byKey),
      await client.send('GET', '/signing-keys'),
    ];
    const keys = await selectSigningKeys(given.db, workspaceId);
    expect(keys).toHaveLength(2);
    const { rows } = await given.db.query('select details from audit_log where workspace_id = $1', [
      workspaceId,
    ]);
    const seen = [...answers.map(({ text }) => text), JSON.stringify(rows), ...given.logLines].join('\n');
    for (const key of keys) {
      const { d = '' } = openPrivateKey(given.config.masterKey, key).export({ format: 'jwk' });
      expect(d).toHaveLength(43);
      expect(key.privateKeySealed.includes(Buffer.from(d))).toBe(false);
      expect(seen).not.toContain(d);
    }
    const swapped = { ...keys[0], workspaceId: workspaceId + 1n } as (typeof keys)[number];
    expect(() => openPrivateKey(given.config.masterKey, swapped)).toThrow();
  });

  it('signing keys can be listed and rotated with the command', async () => {
    const made = await command.run('signing-keys', 'rotate', '--workspace', String(workspaceId));
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('signs')]);
    await command.run('signing-keys', 'rotate', '--workspace', String(workspaceId), '--overlap-days', '0');
    const listed = await command.run('signing-keys', 'list', '--workspace', String(workspaceId), '--json');
    const { signing_keys: keys } = JSON.parse(listed.out);
    expect(keys.map(({ state }: { state: string }) => state)).toEqual(['current', 'retired']);
    const wrong = await command.run(
      'signing-keys',
      'rotate',
      '--workspace',
      String(workspaceId),
      '--overlap-days',
      'x',
    );
    expect(wrong.code).not.toBe(0);
  });
});
