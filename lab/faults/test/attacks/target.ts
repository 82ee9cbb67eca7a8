// What an attack needs of a service: where it listens, what it says of itself, who may come in.
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

/** One tenant's things under the names that the document has for them. */
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
  /** Tables that note what was asked, and so may change by a refusal. */
  readonly notes: readonly string[];
  readonly known: KnownNames;
  idOf(name: string, whose: string): string;
  /** What must stand nowhere in clear but in the answers that are there to show it. */
  listSecrets(): readonly (readonly [name: string, secret: string])[];
  /** What the command line makes links with. */
  readonly signIn: SignIn;
  letters(operation: Operation, who: Credentials): Letters;
  /** A new tenant in the place of the one that the attacks have worn out. */
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
      // An event's id says whose it is: one that is not there has the other's name on it as well.
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

/** Made slowly on purpose; one will do for all of them. */
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

/** A session without the password's check: argon2 takes longer than all else that a tenant needs. */
export async function signIn(desk: SignIn, memberships: readonly Membership[]): Promise<SignedIn> {
  const person = await makePerson(desk.db, memberships);
  const browser = { address: '127.0.0.1', userAgent: '', token: undefined };
  const token = await desk.db.transaction((tx) =>
    openSession(desk, tx, { personId: person.id, browser }),
  );
  return { ...person, cookie: `${desk.cookieName}=${token}` };
}

/** Requests that make a tenant's things: one that fails is a mistake of the test. */
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

/** An id that is nobody's and was never asked for, as long as the tenants' own. */
const unknownLike = (own: string): string => {
  const fresh = String(++unknowns);
  const number = String(987_654_321 + unknowns);
  if (/^\d+$/.test(own)) return number;
  if (eventForm.test(own)) return own.replace(/\d+$/, number);
  if (/^\d+\.\d+\.\d+$/.test(own)) return `8.8.${number}`;
  const kept = own.slice(0, Math.max(0, own.length - fresh.length - 1));
  return `${kept}u${fresh}`;
};
