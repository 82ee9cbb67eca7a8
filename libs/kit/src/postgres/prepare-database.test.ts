// Production refuses a database that could lose a write. It also refuses a database of the demo, because `npm
// start` prints the demo's credentials.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { describe, expect, inject, it } from 'vitest';
import { parseMasterKey } from '../crypto/secrets.ts';
import { captureLog } from '../testing/captured-log.ts';
import { createTestDatabase } from '../testing/databases.ts';
import { openDb } from './db.ts';
import { kitMigrations, readMigrations } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';
import { findDemoCredentials, isDemo, markAsDemo } from './service-facts.ts';

const masterKey = parseMasterKey(randomBytes(32).toString('base64'));

async function prepare(url: string, production: boolean, key = masterKey) {
  const { logger } = captureLog();
  const migrations = await readMigrations([kitMigrations]);
  return prepareDatabase({
    url,
    applicationName: 'x',
    maxConnections: 2,
    migrations,
    production,
    masterKey: key,
    logger,
  });
}

describe('prepareDatabase', () => {
  it("prepareDatabase refuses a master key that is not the database's first master key", async () => {
    const database = await createTestDatabase(inject('testServer'));
    await (await prepare(database.url, true)).end();
    await (await prepare(database.url, true)).end();
    const other = parseMasterKey(randomBytes(32).toString('base64'));
    await expect(prepare(database.url, true, other)).rejects.toThrow('MASTER_KEY is not the key');
    await database.dispose();
  });

  it("an empty database is migrated, and production refuses a database with the demo's data", async () => {
    const database = await createTestDatabase(inject('testServer'));
    const db = await prepare(database.url, true);
    expect(await isDemo(db)).toBe(false);
    expect(await findDemoCredentials(db, masterKey)).toBeUndefined();
    await db.transaction((tx) => markAsDemo(tx, masterKey, { secret: 'hunter2' }));
    expect(await findDemoCredentials(db, masterKey)).toEqual({ secret: 'hunter2' });
    const { rows } = await db.query<{ value: Buffer }>('select value from service_facts');
    expect(rows[0]?.value.includes('hunter2')).toBe(false);
    const other = parseMasterKey(randomBytes(32).toString('base64'));
    await expect(findDemoCredentials(db, other)).rejects.toThrow('another master key');
    await db.end();
    await expect(prepare(database.url, true)).rejects.toThrow("it contains the demo's data");
    await (await prepare(database.url, false)).end();
    await database.dispose();
  });

  it('production refuses a server with fsync and full_page_writes off, and names both', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-unsafe-'));
    await chmod(dataDir, 0o755);
    const postgres = await startEmbeddedPostgres({
      dataDir,
      settings: { fsync: 'off', full_page_writes: 'off', shared_buffers: '1MB' },
    });
    try {
      const run = prepare(postgres.url('postgres'), true);
      await expect(run).rejects.toThrow(/- fsync is off.*\n.*- full_page_writes is off/);
      const db = openDb({ url: postgres.url('postgres'), applicationName: 'x' });
      const { rows } = await db.query(`select to_regclass('people') as people`);
      expect(rows).toEqual([{ people: null }]);
      await db.end();
    } finally {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
