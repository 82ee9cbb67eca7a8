// How long sessions last, which events end them, and which sessions a person can list and end.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type Answer,
  type Browser,
  goodPassword,
  openSignInDesk,
  type SignInDesk,
} from '../testing/sign-in-app.ts';
import { getSession, requireSession } from './require-session.ts';
import { findRole } from './session.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
  desk.app.get('/panel/own', { onRequest: requireSession(desk.signIn) }, async (request) => {
    const session = getSession(request);
    return { email: session.email, role: findRole(session, 5n) ?? null };
  });
});
afterAll(() => desk.close());

const minute = 60_000;
const hour = 60 * minute;

const signedIn = async () => {
  const person = await desk.person({ memberships: [{ tenantId: 5n, role: 'member' }] });
  const browser = desk.browser();
  await browser.signIn(person.email);
  return { person, browser };
};
const status = async (browser: Browser) => (await browser.send('GET', '/panel/session')).status;

const listed = (answer: Answer) =>
  (answer.body.data as { sessions: { id: number; current: boolean }[] }).sessions;

describe('a session', () => {
  it('a session ends after twelve hours without use', async () => {
    const { browser } = await signedIn();
    for (let i = 0; i < 3; i++) {
      desk.advance(12 * hour - minute);
      expect(await status(browser)).toBe(200);
    }
    desk.advance(12 * hour);
    expect(await status(browser)).toBe(401);
  });

  it('a session ends after thirty days, even if it is used', async () => {
    const { browser } = await signedIn();
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      desk.advance(10 * hour);
      expect(await status(browser)).toBe(200);
    }
    desk.advance(10 * hour);
    expect(await status(browser)).toBe(401);
  });

  it('the last use of a session is updated at most once a minute', async () => {
    const { person, browser } = await signedIn();
    const seen = async () => {
      await browser.send('GET', '/panel/session');
      const { rows } = await desk.db.query<{ last_seen_at: Date }>(
        'select last_seen_at from sessions where person_id = $1',
        [person.id],
      );
      return rows[0]?.last_seen_at.getTime();
    };
    const start = desk.signIn.now().getTime();
    desk.advance(59_000);
    expect(await seen()).toBe(start);
    desk.advance(1000);
    expect(await seen()).toBe(start + minute);
    desk.advance(59_000);
    expect(await seen()).toBe(start + minute);
  });

  it('a session ends at sign-out, and a second sign-out succeeds', async () => {
    const { person, browser } = await signedIn();
    const { cookie } = browser;
    const answer = await browser.send('DELETE', '/panel/session');
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBe('desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect(desk.events.at(-1)).toMatchObject({ action: 'signed_out', personId: person.id });
    browser.cookie = cookie;
    expect(await status(browser)).toBe(401);
    const events = desk.events.length;
    expect((await browser.send('DELETE', '/panel/session')).status).toBe(200);
    expect(desk.events).toHaveLength(events);
  });

  it('a session ends when the person is disabled', async () => {
    const { person, browser } = await signedIn();
    await desk.db.query('update people set disabled_at = now() where id = $1', [person.id]);
    expect(await status(browser)).toBe(401);
  });

  it.each(['', 'desk=', 'desk=x', 'desk=%00', `desk=cfs_${'A'.repeat(43)}`, 'other=1; desk'])(
    'no session is found for the cookie %j',
    async (cookie) => {
      const browser = desk.browser();
      browser.cookie = cookie;
      const answer = await browser.send('GET', '/panel/session');
      expect([answer.status, answer.body.code]).toEqual([401, 'not_signed_in']);
    },
  );

  it('a session gives access to panel routes with the current role of the person', async () => {
    const { person, browser } = await signedIn();
    const own = () => browser.send('GET', '/panel/own');
    expect((await own()).body).toEqual({ email: person.email, role: 'member' });
    await desk.db.query(`update memberships set role = 'owner' where person_id = $1`, [person.id]);
    expect((await own()).body).toEqual({ email: person.email, role: 'owner' });
    expect((await desk.browser().send('GET', '/panel/own')).body.code).toBe('not_signed_in');
  });

  it('the least recently used session ends at the 51st sign-in of a person', async () => {
    const { person, browser } = await signedIn();
    for (let i = 0; i < 50; i++) {
      desk.advance(1000);
      await desk.browser().signIn(person.email);
    }
    expect(await status(browser)).toBe(401);
    const { rows } = await desk.db.query<{ count: bigint }>(
      'select count(*) from sessions where person_id = $1',
      [person.id],
    );
    expect(rows[0]?.count).toBe(50n);
  });
});

describe('the sessions of a person', () => {
  it('sessions are listed, with the current session marked, and each of them can be ended', async () => {
    const { person, browser } = await signedIn();
    desk.advance(minute);
    const other = desk.browser('203.0.113.9');
    await other.signIn(person.email);
    const list = async () => listed(await browser.send('GET', '/panel/sessions'));
    const sessions = await list();
    expect(sessions).toMatchObject([
      { current: false, address: '203.0.113.9', user_agent: 'test browser' },
      { current: true, address: '192.0.2.1' },
    ]);
    const target = sessions.find((each) => !each.current)?.id;
    expect((await browser.send('DELETE', `/panel/sessions/${target}`)).status).toBe(200);
    expect(desk.events.at(-1)).toMatchObject({ action: 'session_ended', personId: person.id });
    expect(await status(other)).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  it('ending the session of another person gets the same answer as ending an unknown session', async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    const { rows } = await desk.db.query<{ id: bigint }>('select id from sessions where person_id = $1', [
      theirs.person.id,
    ]);
    const end = async (id: string) => {
      const { body, status: code } = await mine.browser.send('DELETE', `/panel/sessions/${id}`);
      return { ...body, request_id: '', code: `${code} ${body.code}` };
    };
    const answer = await end(String(rows[0]?.id));
    expect(answer.code).toBe('404 session_not_found');
    expect(await end('999999999')).toEqual(answer);
    expect(await status(theirs.browser)).toBe(200);
  });

  it('ending the current session also deletes the cookie', async () => {
    const { browser } = await signedIn();
    const sessions = listed(await browser.send('GET', '/panel/sessions'));
    await browser.send('DELETE', `/panel/sessions/${sessions[0]?.id}`);
    expect(browser.cookie).toBeUndefined();
  });

  it('a session can be started with a user agent of 5,000 characters', async () => {
    const { email } = await desk.person();
    const answer = await desk.app.inject({
      method: 'POST',
      url: '/panel/session',
      headers: { 'user-agent': 'é'.repeat(5000) },
      payload: { email, password: goodPassword },
    });
    expect(answer.statusCode).toBe(200);
  });
});
