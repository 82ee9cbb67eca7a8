// A member of a workspace and their browser, for tests of the panel's API.
import { randomBytes } from 'node:crypto';
import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import { openSession } from '@counterfoil/identity/sessions/start-session';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import { createLicensingSignIn } from '../../src/sign-in.ts';
import type { Given } from './given.ts';

export interface Person {
  readonly id: bigint;
  readonly email: string;
  readonly password: string;
}

export interface Answer {
  readonly status: number;
  /** The body is not typed, because the assertions of a test check the fields that the test reads. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Browser {
  cookie: string;
  send(method: Method, url: string, body?: object): Promise<Answer>;
  get(url: string): Promise<Answer>;
  post(url: string, body?: object): Promise<Answer>;
  patch(url: string, body: object): Promise<Answer>;
  delete(url: string): Promise<Answer>;
}

/** All people of a test run have the same password, so that the password is hashed only once. */
const password = `pass ${randomBytes(9).toString('base64url')}`;
let people = 0;

export async function givenPerson(
  given: Given,
  memberships: { workspaceId: bigint; role?: 'owner' | 'member' }[],
): Promise<Person> {
  const person = {
    email: `person${++people}@test.example`,
    name: 'Ada Byron',
    password,
  };
  const id = await given.db.transaction((tx) =>
    createPersonWithPassword(tx, {
      ...person,
      passwords: cheapHasher,
      memberships: memberships.map(({ workspaceId, role = 'owner' }) => ({
        tenantId: workspaceId,
        role,
      })),
    }),
  );
  return { ...person, id };
}

export function openBrowser(given: Given, address = '10.0.0.1'): Browser {
  const send = async (method: Method, url: string, body?: object): Promise<Answer> => {
    const answer = await given.app.inject({
      method,
      url,
      remoteAddress: address,
      headers: {
        ...(browser.cookie !== '' && { cookie: browser.cookie }),
        ...(method !== 'GET' && { origin: 'http://127.0.0.1:4100' }),
      },
      ...(body && { payload: body }),
    });
    const set = answer.headers['set-cookie'];
    if (typeof set === 'string') browser.cookie = set.split(';')[0] ?? '';
    return { status: answer.statusCode, body: answer.json(), text: answer.body };
  };
  const browser: Browser = {
    cookie: '',
    send,
    get: (url) => send('GET', url),
    post: (url, body = {}) => send('POST', url, body),
    patch: (url, body) => send('PATCH', url, body),
    delete: (url) => send('DELETE', url),
  };
  return browser;
}

/** Opens a session without verifying the password, which would be slow. */
async function signIn(given: Given, personId: bigint, address: string): Promise<string> {
  const desk = createLicensingSignIn(given.db, given.config, () => given.clock.now);
  const token = await given.db.transaction(async (tx) => {
    await desk.audit(tx, { action: 'signed_in', actorId: personId, personId, address });
    const browser = { token: undefined, address, userAgent: 'test browser' };
    return await openSession(desk, tx, { personId, browser });
  });
  return `${desk.cookieName}=${token}`;
}

/** Returns a browser in which a new member with this role is signed in. */
export async function givenSignedIn(
  given: Given,
  workspaceId: bigint,
  role: 'owner' | 'member' = 'owner',
): Promise<Browser & { person: Person; base: string }> {
  const person = await givenPerson(given, [{ workspaceId, role }]);
  const browser = openBrowser(given);
  browser.cookie = await signIn(given, person.id, '10.0.0.1');
  return Object.assign(browser, { person, base: `/panel/workspaces/${workspaceId}` });
}
