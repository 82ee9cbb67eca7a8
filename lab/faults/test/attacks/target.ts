// The target of an attack: its port, its OpenAPI document and its credentials.
import type { Server } from 'node:http';
import type { Membership } from '@counterfoil/identity/members/person';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { openSession } from '@counterfoil/identity/sessions/start-session';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import type { App } from '@counterfoil/kit/http/app';
import { inlineSchemas } from '@counterfoil/kit/http/openapi/name-schemas';
import type { Db } from '@counterfoil/kit/postgres/db';
import { insertMembership } from '../../../../libs/identity/src/store/memberships.ts';
import { insertPerson } from '../../../../libs/identity/src/store/people.ts';
import type { KnownNames } from './arbitraries.ts';
import type { Credentials } from './cases.ts';
import type { OpenApiDocument, Operation } from './operations.ts';

/** The ids and names of one tenant's objects. Each key is the field's name in the OpenAPI document. */
export type Things = Readonly<Record<string, string>>;

/** The headers that authenticate a request. */
export type RequestHeaders = Readonly<Record<string, string>>;

export interface Target {
  readonly name: string;
  readonly port: number;
  readonly server: Server;
  readonly db: Db;
  readonly document: OpenApiDocument;
  readonly logLines: readonly string[];
  /**
   * Tables that may change even if a request is refused: logs, and data that is written in the background.
   */
  readonly logTables: readonly string[];
  readonly known: KnownNames;
  idOf(name: string, whose: string): string;
  /** Pairs of a name and a secret. A secret may appear only in the answers that are meant to show it. */
  listSecrets(): readonly (readonly [name: string, secret: string])[];
  /** The parts of the service with which a test creates sessions and password reset links. */
  readonly signIn: SignIn;
  headersFor(operation: Operation, who: Credentials): RequestHeaders;
  /** Replaces the tenant with a new tenant, because attacks have used up the objects of the old tenant. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

interface Service {
  readonly app: App;
  readonly db: Db;
  readonly logLines: readonly string[];
}

interface Opening<Holder>
  extends Pick<Target, 'name' | 'logTables' | 'listSecrets' | 'signIn' | 'renew' | 'close'> {
  readonly given: Service;
  own(): Things;
  readonly foreign: Things;
  readonly holders: Readonly<Record<Exclude<Credentials, 'none'>, () => Holder>>;
  headersOf(operation: Operation, holder: Holder): RequestHeaders;
}

export async function openTarget<Holder>(opening: Opening<Holder>): Promise<Target> {
  const { given, own, foreign, holders, headersOf, ...rest } = opening;
  return {
    ...rest,
    port: await listen(given.app),
    server: given.app.server,
    db: given.db,
    document: inlineSchemas((await given.app.inject('/openapi.json')).json()),
    logLines: given.logLines,
    known: new Set(Object.keys(own())),
    idOf: (name, whose) => {
      const mine = own()[name] ?? '';
      const others = foreign[name] ?? '';
      if (whose !== 'unknown') return whose === 'foreign' ? others : mine;
      // An event id contains the id of its tenant. The unknown event id is made from the foreign event id, so
      // that both contain the id of the other tenant.
      return unknownLike(eventForm.test(mine) ? others : mine);
    },
    headersFor: (operation, who) => (who === 'none' ? {} : headersOf(operation, holders[who]())),
  };
}

/** The path of an operation, filled with the tenant's own ids. */
export const ownPath = ({ idOf }: Target, { path }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_all, name) => idOf(name, 'own'));

/** A request with a JSON body and valid credentials. */
export const makeJsonRequest = (target: Target, operation: Operation, body: string | Buffer) => ({
  method: operation.method,
  url: ownPath(target, operation),
  headers: { ...target.headersFor(operation, 'own'), 'content-type': 'application/json' },
  body: Buffer.from(body),
});

export const password = 'correct horse battery';
let people = 0;

export interface SignedIn {
  readonly id: bigint;
  readonly email: string;
  readonly cookie: string;
}

/** All people have the same password, so one hash is computed for all of them. */
const passwordHash = cheapHasher.hash(password);

export async function makePerson(
  db: Db,
  memberships: readonly Membership[],
): Promise<{ id: bigint; email: string }> {
  const email = `attacker-${++people}@test.example`;
  const wanted = { email, name: 'Mallory', passwordHash: await passwordHash, at: new Date() };
  const id = await db.transaction(async (tx) => {
    const personId = await insertPerson(tx, wanted);
    if (personId === undefined) throw new Error(`${email} is a person already`);
    for (const each of memberships) {
      await insertMembership(tx, { ...each, personId, at: wanted.at });
    }
    return personId;
  });
  return { id, email };
}

/** Creates a person and a session of this person. Checks no password, because argon2 is slow. */
export async function signIn(signInDeps: SignIn, memberships: readonly Membership[]): Promise<SignedIn> {
  const person = await makePerson(signInDeps.db, memberships);
  const browser = { address: '127.0.0.1', userAgent: '', token: undefined };
  const token = await signInDeps.db.transaction((tx) =>
    openSession(signInDeps, tx, { personId: person.id, browser }),
  );
  return { ...person, cookie: `${signInDeps.cookieName}=${token}` };
}

/** Sends a request that prepares a tenant, and throws if the service does not answer 200. */
export const askAs =
  (app: App, headers: Record<string, string>) =>
  async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json().data;
  };

export async function listen(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return address.port;
}

let unknowns = 0;
const eventForm = /^(?:mov|rnd|evt)_\d+_/;

/** Returns an unused id with the same form as the tenant's id. */
const unknownLike = (own: string): string => {
  const fresh = String(++unknowns);
  const number = String(987_654_321 + unknowns);
  if (/^\d+$/.test(own)) return number;
  if (eventForm.test(own)) return own.replace(/\d+$/, number);
  if (/^\d+\.\d+\.\d+$/.test(own)) return `8.8.${number}`;
  const kept = own.slice(0, Math.max(0, own.length - fresh.length - 1));
  return `${kept}u${fresh}`;
};

/**
 * The mail settings of the attacked service. No server listens at the address in SMTP_URL. A test searches
 * logs and answers for the password in SMTP_URL.
 */
export const mailPassword = 'canary-of-the-mail-server';
export const mailEnvironment = {
  SMTP_URL: `smtp://canary:${mailPassword}@127.0.0.1:9`,
  MAIL_FROM: 'mail@service.invalid',
};

/** Stores an e-mail of a tenant that could not be delivered (a dead letter). Returns the id of the e-mail. */
export async function giveDeadLetter(db: Db, tenantId: bigint): Promise<string> {
  const { rows } = await db.query<{ id: bigint }>(
    `insert into mail_outbox (tenant_id, id, kind, recipient, language, state, attempts, created_at,
       next_attempt_at, finished_at, error)
     values ($1, nextval('mail_ids'), 'invitation', 'dead@test.example', 'en', 'failed', 1, now(), now(),
       now(), 'rejected') returning id`,
    [tenantId],
  );
  return String(rows[0]?.id);
}
