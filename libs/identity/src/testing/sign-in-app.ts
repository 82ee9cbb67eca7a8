// For tests: a service that has only the sign-in routes, a clock that the test sets, and simulated browsers.
import { randomBytes } from 'node:crypto';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { defineErrors, type ErrorBody, transportErrors } from '@counterfoil/kit/http/errors';
import { openDb } from '@counterfoil/kit/postgres/db';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createTestDatabase, type TestServer } from '@counterfoil/kit/testing/databases';
import type { InjectOptions } from 'fastify';
import { signInErrors } from '../errors.ts';
import { invitePerson } from '../links/invitations.ts';
import { createPersonWithPassword } from '../members/people.ts';
import type { Membership, Role } from '../members/person.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';
import { registerSignInRoutes } from '../routes.ts';
import { createSignIn, type SignIn, type SignInEvent } from '../sessions/sign-in.ts';
import { cheapHasher } from './cheap-hasher.ts';

export const publicUrl = 'http://panel.example:4100';
export const goodPassword = 'correct horse battery';

export const errors = defineErrors({
  ...transportErrors,
  ...signInErrors,
  too_many_invitations: { status: 409, msg: 'Too many invitations are open', retryable: false },
});

export type SignInDesk = Awaited<ReturnType<typeof openSignInDesk>>;

export interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

/** A client that stores its session cookie like a browser. */
export interface Browser {
  cookie: string | undefined;
  send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<Answer>;
  signIn(email: string, password?: string, code?: string): Promise<Answer>;
}

let people = 0;
let tenants = 100n;

export const tokenOf = (url: string): string => url.split('#token=')[1] ?? '';

/** Returns the status and the code of an answer, so that a test can compare both at once. */
export const outcome = (answer: Answer) => [answer.status, answer.body.code];

export async function openSignInDesk(server: TestServer, options: { publicUrl?: string } = {}) {
  const database = await createTestDatabase(server, 'kit');
  const db = openDb({ url: database.url, applicationName: 'sign-in test', maxConnections: 8 });
  let time = Date.parse('2026-03-01T12:00:00Z');
  const events: SignInEvent[] = [];
  const counting = countVerifications();
  const signIn = createSignIn({
    db,
    errors,
    masterKey: parseMasterKey(randomBytes(32).toString('hex')),
    publicUrl: options.publicUrl ?? publicUrl,
    cookieName: 'desk',
    serviceName: 'Desk & Co',
    now: () => new Date(time),
    onAudit: async (_tx, event) => void events.push(event),
    passwords: counting.hasher,
  });
  const { logger, lines: logLines } = captureLog('desk');
  const app = buildApp({ errors, logger });
  registerSignInRoutes(app, signIn);
  return {
    app,
    db,
    signIn,
    events,
    logLines,
    /** Returns the number of argon2 hashes verified so far. */
    verifications: counting.count,
    advance: (ms: number): void => {
      time += ms;
    },
    person: async (given: { email?: string; memberships?: Membership[] } = {}) => {
      const { email = `person${++people}@example.com`, memberships = [] } = given;
      const { hasher: passwords } = counting;
      const input = { email, name: 'Ada Byron', password: goodPassword, memberships, passwords };
      const id = await db.transaction((tx) => createPersonWithPassword(tx, input));
      return { id, email };
    },
    /** Creates an invitation. By default, the invitation is to a new tenant. */
    invite: (given: InviteOptions = {}) => invite(signIn, given),
    redeem: (body: object, browser = createBrowser(app, '192.0.2.1')) =>
      browser.send('POST', '/panel/links/redeem', body),
    browser: (address = '192.0.2.1') => createBrowser(app, address),
    close: async (): Promise<void> => {
      await app.close();
      await db.end();
      await database.dispose();
    },
  };
}

interface InviteOptions {
  readonly email?: string;
  readonly role?: Role;
  readonly tenantId?: bigint;
}

async function invite(signIn: SignIn, options: InviteOptions) {
  const { email = `guest${++people}@example.com`, role = 'member', tenantId = ++tenants } = options;
  const input = { tenantId, email, role, invitedBy: null };
  const link = await signIn.db.transaction((tx) => invitePerson(signIn, tx, input));
  return { ...link, tenantId, email, token: tokenOf(link.url) };
}

function countVerifications(): { hasher: PasswordHasher; count: () => number } {
  const hasher = createPasswordHasher({ overloaded: () => errors.fail('overloaded') });
  let verified = 0;
  return {
    count: () => verified,
    hasher: {
      hash: cheapHasher.hash,
      verify: (encoded, password) => {
        verified++;
        return hasher.verify(encoded, password);
      },
    },
  };
}

function createBrowser(app: App, address: string): Browser {
  const browser: Browser = {
    cookie: undefined,
    send: async (method, url, body) => {
      const request: InjectOptions = { method, url, remoteAddress: address };
      request.headers = {
        'user-agent': 'test browser',
        ...(method !== 'GET' && { origin: publicUrl, 'sec-fetch-site': 'same-origin' }),
        ...(browser.cookie !== undefined && { cookie: browser.cookie }),
      };
      if (body) request.payload = body;
      const response = await app.inject(request);
      const set = response.headers['set-cookie'];
      if (typeof set === 'string') {
        const cookie = set.split(';')[0] ?? '';
        browser.cookie = cookie.endsWith('=') ? undefined : cookie;
      }
      return { status: response.statusCode, body: response.json(), headers: response.headers };
    },
    signIn: (email, password = goodPassword, code) =>
      browser.send('POST', '/panel/session', { email, password, ...(code && { code }) }),
  };
  return browser;
}
