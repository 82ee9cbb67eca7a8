// The target of an attack: its port, its OpenAPI document and its credentials.
import type { Server } from 'node:http';
import type { Membership } from '@counterfoil/identity/members/person';
import { createPasswordHasher } from '@counterfoil/identity/passwords/password-hasher';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { openSession } from '@counterfoil/identity/sessions/start-session';
import type { App } from '@counterfoil/kit/http/app';
import { inlineSchemas } from '@counterfoil/kit/http/openapi/name-schemas';
import type { Db } from '@counterfoil/kit/postgres/db';
import { insertMembership } from '../../../../libs/identity/src/store/memberships.ts';
import { insertPerson } from '../../../../libs/identity/src/store/people.ts';
import type { KnownNames } from './arbitraries.ts';
import type { Credentials } from './cases.ts';
import type { OpenApiDocument, Operation } from './operations.ts';

/** The things of one tenant by the names in the document. */
export type Things = Readonly<Record<string, string>>;

interface Letters {
  readonly headers: Readonly<Record<string, string>>;
}

export interface Target {
  readonly name: string;
  readonly port: number;
  readonly server: Server;
  readonly db: Db;
  readonly document: OpenApiDocument;
  readonly logLines: readonly string[];
  /** Log tables, which a refusal may change. */
  readonly notes: readonly string[];
  readonly known: KnownNames;
  idOf(name: string, whose: string): string;
  /** Secrets that may appear only in the answers that show them. */
  listSecrets(): readonly (readonly [name: string, secret: string])[];
  /** The function by which the CLI creates links. */
  readonly signIn: SignIn;
  letters(operation: Operation, who: Credentials): Letters;
  /** Replaces a tenant whose things the attacks have consumed. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

interface Service {
  readonly app: App;
  readonly db: Db;
  readonly logLines: readonly string[];
}

interface Opening<Holder>
  extends Pick<Target, 'name' | 'notes' | 'listSecrets' | 'signIn' | 'renew' | 'close'> {
  readonly given: Service;
  own(): Things;
  readonly foreign: Things;
  readonly holders: Readonly<Record<Exclude<Credentials, 'none'>, () => Holder>>;
  lettersOf(operation: Operation, holder: Holder): Letters;
}

export async function openTarget<Holder>(opening: Opening<Holder>): Promise<Target> {
  const { given, own, foreign, holders, lettersOf, ...rest } = opening;
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
      // An event id names its tenant, so an unknown id must name the other tenant too.
      return unknownLike(eventForm.test(mine) ? others : mine);
    },
    letters: (operation, who) =>
      who === 'none' ? { headers: {} } : lettersOf(operation, holders[who]()),
  };
}

export const password = 'correct horse battery';
let people = 0;

export interface SignedIn {
  readonly id: bigint;
  readonly email: string;
  readonly cookie: string;
}

/** Hashing is slow on purpose, so all people share one hash. */
const passwordHash = createPasswordHasher({ overloaded: () => new Error('too busy') }).hash(
  password,
);

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

/** Creates a session without checking the password, because argon2 is slow. */
export async function signIn(desk: SignIn, memberships: readonly Membership[]): Promise<SignedIn> {
  const person = await makePerson(desk.db, memberships);
  const browser = { address: '127.0.0.1', userAgent: '', token: undefined };
  const token = await desk.db.transaction((tx) =>
    openSession(desk, tx, { personId: person.id, browser }),
  );
  return { ...person, cookie: `${desk.cookieName}=${token}` };
}

/** Sends a request that creates a tenant's thing. A failure is a mistake of the test. */
export const askAs =
  (app: App, headers: Record<string, string>) =>
  async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json().data;
  };

export async function listen(app: App): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('listens nowhere');
  return address.port;
}

let unknowns = 0;
const eventForm = /^(?:mov|rnd|evt)_\d+_/;

/** An unused id of the same length as the tenants' ids. */
const unknownLike = (own: string): string => {
  const fresh = String(++unknowns);
  const number = String(987_654_321 + unknowns);
  if (/^\d+$/.test(own)) return number;
  if (eventForm.test(own)) return own.replace(/\d+$/, number);
  if (/^\d+\.\d+\.\d+$/.test(own)) return `8.8.${number}`;
  const kept = own.slice(0, Math.max(0, own.length - fresh.length - 1));
  return `${kept}u${fresh}`;
};
