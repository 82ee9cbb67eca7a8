// A service that is killed during uploads of media leaves no row without a file, and no file that is served
// without a row.
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';
import { makeNoise, makePicture } from '../environment/media-files.ts';
import { type ServiceProcess, startService } from '../environment/service-processes.ts';

const masterKey = randomBytes(32).toString('base64');
let given: Given;
let workspaceId: bigint;
let key: string;
let running: ServiceProcess[] = [];

beforeAll(async () => {
  given = await givenLicensing({ MASTER_KEY: masterKey });
  // The processes use the clock of the machine.
  given.clock.now = new Date();
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId, { scopes: ['items:read', 'items:write'] });
});
afterAll(async () => {
  for (const service of running) await service.kill();
  await given?.close();
});

async function start(): Promise<ServiceProcess> {
  const service = await startService(given, masterKey);
  running = [...running, service];
  return service;
}

const draft = () => given.item(workspaceId, { kind: 'image', state: 'draft' });

/** Uploads a file. Returns the status of the answer, or `lost` if the connection ended without an answer. */
const upload = ({ origin }: ServiceProcess, itemId: bigint, body: Buffer): Promise<number | 'lost'> =>
  fetch(`${origin}/api/v1/items/${itemId}/media/preview_image`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
  }).then(
    ({ status }) => status,
    () => 'lost',
  );

/** The paths of all stored files, by key. */
async function listFiles(): Promise<Map<string, string>> {
  const root = join(given.config.filesDir, 'media', String(workspaceId));
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((each) => each.isFile() && !each.parentPath.endsWith('drafts'));
  return new Map(files.map(({ name, parentPath }) => [name, join(parentPath, name)]));
}

async function listRows() {
  const { rows } = await given.db.query<{ file_key: string; item_id: bigint; sha256: Buffer; type: string }>(
    'select file_key, item_id, sha256, type from item_media where workspace_id = $1',
    [workspaceId],
  );
  return rows;
}

/** Waits until PostgreSQL has ended the sessions of killed processes and rolled back their transactions. */
const sessionsEnded = () =>
  eventually(async () => {
    const { rows } = await given.db.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name = 'counterfoil licensing'`,
    );
    expect(rows).toEqual([]);
  });

const ask = async ({ origin }: ServiceProcess, fileKey: string) =>
  (await fetch(`${origin}/media/${workspaceId}/${fileKey}.jpg`)).status;

it('a kill between a file and its row leaves only files that are not served and are swept', async () => {
  const itemId = await draft();
  const first = await start();
  // The upload waits for this lock after it has stored its files and before it inserts their rows.
  const uploading = await given.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `media of workspace ${workspaceId}`,
    ]);
    const answer = upload(first, itemId, await makePicture());
    await eventually(async () => expect((await listFiles()).size).toBe(2));
    await first.kill();
    return answer;
  });
  expect(await uploading).toBe('lost');
  await sessionsEnded();
  expect(await listRows()).toEqual([]);
  const orphans = await listFiles();
  expect(orphans.size).toBe(2);

  const second = await start();
  for (const orphan of orphans.keys()) expect(await ask(second, orphan)).toBe(404);
  expect(await upload(second, itemId, await makePicture())).toBe(200);
  const rows = await listRows();
  expect(rows).toHaveLength(2);
  for (const { file_key } of rows) expect(await ask(second, file_key)).toBe(200);
  await second.stop();

  // A service removes files without a row when it starts, once they are a day old.
  for (const path of (await listFiles()).values()) await utimes(path, 0, 0);
  const third = await start();
  const used = rows.map(({ file_key }) => file_key).sort();
  await eventually(async () => expect([...(await listFiles()).keys()].sort()).toEqual(used));
  for (const fileKey of used) expect(await ask(third, fileKey)).toBe(200);
  await third.stop();
});

it('after kills during uploads, every row has its whole file, and every answer its row', async () => {
  for (let round = 0; round < 5; round++) {
    const service = await start();
    const items = await Promise.all(Array.from({ length: 3 }, draft));
    const answers = items.map(async (itemId) => {
      const status = await upload(service, itemId, await makeNoise(300, 300));
      return { itemId, status };
    });
    // Ends the process as soon as one upload is stored, while the others are in some step of theirs.
    await Promise.race(answers);
    await service.kill();
    const answered = await Promise.all(answers);
    await sessionsEnded();
    const files = await listFiles();
    const rows = await listRows();
    for (const { file_key, sha256 } of rows) {
      const bytes = await readFile(files.get(file_key) ?? '');
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256.toString('hex'));
    }
    const stored = answered.filter(({ status }) => status === 200).map(({ itemId }) => itemId);
    expect(stored.length).toBeGreaterThan(0);
    for (const itemId of stored) expect(rows.some((row) => row.item_id === itemId)).toBe(true);
  }
});
