// Creates people and admin tokens that manage packages, and a second process on the same database.

import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import type { Membership } from '@counterfoil/identity/members/person';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import type { App } from '@counterfoil/kit/http/app';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createAdminToken } from '../../src/admin-tokens/change-admin-tokens.ts';
import { buildWalletApp, migrationFolders } from '../../src/app.ts';
import { operator } from '../../src/audit/audit-event.ts';
import { createLedger } from '../../src/ledger/engine/ledger.ts';
import { openLedgerDb } from '../../src/ledger/open-ledger-db.ts';
import { createHttpUpstream } from '../../src/upstream/http-upstream.ts';
import type { UpstreamSettings } from '../../src/upstream/upstream-settings.ts';
import type { Given } from './given.ts';

export const password = 'correct horse battery';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body; each test checks the parts that it needs. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Sends a request as a person or with a token. POST and PATCH have a body, `{}` by default. */
export type Send = (method: Method, url: string, body?: object) => Promise<Answer>;

export interface GivenPerson {
  readonly id: bigint;
  readonly email: string;
  readonly send: Send;
}

let people = 0;

async function send(
  app: App,
  headers: Record<string, string>,
  request: { method: Method; url: string; body: object | undefined },
): Promise<Answer> {
  const { method, url, body } = request;
  const hasBody = method === 'POST' || method === 'PATCH';
  const answer = await app.inject({
    method,
    url,
    headers,
    remoteAddress: '10.7.7.7',
    ...(hasBody && { payload: body ?? {} }),
  });
  return { status: answer.statusCode, text: answer.body, body: answer.json() };
}

export async function givePerson(given: Given, memberships: readonly Membership[]): Promise<GivenPerson> {
  const email = `person-${++people}@example.com`;
  const wanted = { email, name: `Person ${people}`, password, memberships, passwords: cheapHasher };
  const id = await given.db.transaction((tx) => createPersonWithPassword(tx, wanted));
  const origin = given.config.publicUrl;
  const signedIn = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin },
    payload: { email, password },
  });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  return {
    id,
    email,
    send: (method, url, body) => send(given.app, { origin, cookie }, { method, url, body }),
  };
}

export const giveAdministrator = (given: Given) =>
  givePerson(given, [{ tenantId: 0n, role: 'administrator' }]);

export const giveMember = (given: Given, owner: { id: number }, role: 'owner' | 'member') =>
  givePerson(given, [{ tenantId: BigInt(owner.id), role }]);

export const sendWithToken =
  (app: App, token: string): Send =>
  (method, url, body) =>
    send(app, { authorization: `Bearer ${token}` }, { method, url, body });

/** Creates an admin token, as a program of the platform would use it. */
export async function giveProgram(given: Given): Promise<{ id: bigint; token: string; send: Send }> {
  const wanted = { name: 'test', actor: operator, at: given.clock.now };
  const made = await given.db.transaction((tx) => createAdminToken(tx, given.config.masterKey, wanted));
  return { ...made, send: sendWithToken(given.app, made.token) };
}

/**
 * Builds the app a second time on the same database, with separate connections and caches, as in another
 * process. `wrap` may replace the database connection of the second app.
 */
export async function openSecondApp(
  given: Given,
  limits: Partial<UpstreamSettings> = {},
  wrap: (db: Db) => Db = (db) => db,
): Promise<{ app: App; db: Db; close: () => Promise<void> }> {
  const { clock } = given;
  const config = { ...given.config, upstream: { ...given.config.upstream, ...limits } };
  const { logger } = captureLog('wallet');
  const db = wrap(openDb({ url: config.databaseUrl, applicationName: 'second wallet test' }));
  const ledgerDb = openLedgerDb({ url: config.databaseUrl, logger });
  const upstream = createHttpUpstream(config.upstream, () => clock.now);
  const app = await buildWalletApp({
    upstream,
    ledger: createLedger({ db: ledgerDb, now: () => clock.now }),
    config,
    db,
    logger,
    migrations: await readMigrations(migrationFolders),
    readiness: { draining: false },
    now: () => clock.now,
  });
  await app.ready();
  return {
    app,
    db,
    close: async () => {
      await app.close();
      await upstream.close();
      await ledgerDb.end();
      await db.end();
    },
  };
}
