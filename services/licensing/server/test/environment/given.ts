// A licensing service on a fresh database, and functions that fill it with test data.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@counterfoil/kit/http/app';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createTestDatabase, type TestDatabase } from '@counterfoil/kit/testing/databases';
import { watchUnlistedErrors } from '@counterfoil/kit/testing/openapi/unlisted-errors';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { createWorkspace, type NewWorkspace } from '../../src/accounts/create-workspace.ts';
import { insertApiKey, type NewApiKey } from '../../src/api-keys/insert-api-key.ts';
import { buildLicensingApp, migrationFolders } from '../../src/app.ts';
import { readScopes } from '../../src/authentication/api-key.ts';
import { type Config, readLicensingConfig } from '../../src/config.ts';
import { createItem, type NewItem } from '../../src/items/management/create-item.ts';
import { issuePurchase, type NewPurchase } from '../../src/purchases/management/issue-purchase.ts';
import type { WaitForSlowCode } from '../../src/purchases/validation/test-codes.ts';
import { reference } from '../../src/reference/reference.ts';

export interface Given {
  readonly app: App;
  readonly db: Db;
  readonly config: Config;
  readonly logLines: string[];
  readonly clock: { now: Date };
  /**
   * The clock of the caches. If `ms` is set, the clock is stopped, and cache entries expire only when a test
   * increases `ms`.
   */
  readonly memoryClock: { ms?: number };
  /** Delays the answer to the sandbox's slow purchase code. A test may replace the function. */
  readonly slowCode: { wait: WaitForSlowCode };
  workspace(wanted?: Partial<NewWorkspace>): Promise<bigint>;
  apiKey(workspaceId: bigint, wanted?: Partial<NewApiKey>): Promise<string>;
  item(workspaceId: bigint, wanted?: Partial<NewItem>): Promise<bigint>;
  purchase(
    workspaceId: bigint,
    itemId: bigint,
    wanted?: Partial<NewPurchase>,
  ): Promise<{ id: bigint; code: string }>;
  close(): Promise<void>;
}

/** A service for all tests of a file, available from the first `beforeAll` on. */
export function setUpLicensing(env: Record<string, string> = {}): Given {
  const given = {} as Given;
  beforeAll(async () => {
    Object.assign(given, await givenLicensing(env));
  });
  afterAll(() => given.close?.());
  return given;
}

export async function givenLicensing(
  env: Record<string, string> = {},
  beforeReady: (app: App) => void = () => {},
  parts: { readonly database?: TestDatabase; readonly now?: Date } = {},
): Promise<Given> {
  const database = parts.database ?? (await createTestDatabase(inject('testServer'), 'licensing'));
  const config = readLicensingConfig({
    LICENSING_DATABASE_URL: database.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    // The first upload creates the folder.
    FILES_DIR: join(tmpdir(), `counterfoil-files-${randomBytes(8).toString('hex')}`),
    // `SOCKET_FAST_PATH=off npm test` runs the tests without the fast path on the socket.
    SOCKET_FAST_PATH: process.env.SOCKET_FAST_PATH ?? 'on',
    ...env,
  });
  const db = openDb({ url: database.url, applicationName: 'licensing test' });
  const { logger, lines } = captureLog('licensing');
  const clock = { now: parts.now ?? new Date('2026-05-04T10:00:00.500Z') };
  const memoryClock: Given['memoryClock'] = {};
  const slowCode: Given['slowCode'] = { wait: (ms) => sleep(ms) };
  const app = await buildLicensingApp({
    config,
    db,
    logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => clock.now,
    monotonicMs: () => memoryClock.ms ?? performance.now(),
    // The interval is a tenth of the default, because tests wait until the log is written.
    flushEveryMs: 100,
    waitForSlowCode: (ms) => slowCode.wait(ms),
  });
  const listUnlisted = watchUnlistedErrors(app, reference);
  beforeReady(app);
  await app.ready();
  return {
    app,
    db,
    config,
    logLines: lines,
    clock,
    memoryClock,
    slowCode,
    workspace: (wanted = {}) =>
      db.transaction((tx) =>
        createWorkspace(tx, {
          name: 'Test seller',
          ...wanted,
          account: { email: 'seller@test.example', currency: 'USD', ...wanted.account },
        }),
      ),
    apiKey: (workspaceId, wanted = {}) =>
      db.transaction(async (tx) => {
        const key = { workspaceId, name: 'Test', kind: 'secret', scopes: readScopes } as const;
        return (await insertApiKey(tx, config.masterKey, { ...key, ...wanted })).secret;
      }),
    item: (workspaceId, wanted = {}) =>
      db.transaction((tx) =>
        createItem(
          tx,
          {
            workspaceId,
            kind: 'image',
            name: 'Test item',
            currency: 'USD',
            state: 'published',
            ...wanted,
          },
          clock.now,
        ),
      ),
    purchase: (workspaceId, itemId, wanted = {}) =>
      db.transaction((tx) =>
        issuePurchase(tx, config.masterKey, {
          workspaceId,
          itemId,
          licenseType: 'Regular',
          priceMinor: 1999n,
          currency: 'USD',
          purchasedAt: clock.now,
          ...wanted,
        }),
      ),
    close: async () => {
      await app.close();
      await db.end();
      await database.dispose();
      await rm(config.filesDir, { recursive: true, force: true });
      expect(listUnlisted()).toEqual([]);
    },
  };
}
