// The second factor is confirmed with a code and then required at sign-in. Each code is valid once.

import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  type Answer,
  goodPassword,
  openSignInDesk,
  outcome,
  type SignInDesk,
} from '../testing/sign-in-app.ts';
import { totpCode, totpStepAt } from './totp.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

const step = 30_000;
const hour = 3_600_000;

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
};

const signedIn = async () => {
  const person = await desk.person();
  const browser = desk.browser();
  await browser.signIn(person.email);
  const start = () => browser.send('POST', '/panel/second-factor', { password: goodPassword });
  const confirm = (code: string) => browser.send('POST', '/panel/second-factor/confirm', { code });
  return { ...person, browser, start, confirm };
};

const codeOf = (started: Answer) => {
  const { secret } = started.body.data as { secret: string };
  return (drift = 0n) => totpCode(fromBase32(secret), totpStepAt(desk.signIn.now()) + drift);
};

const recoveryCodesOf = (confirmed: Answer) =>
  (confirmed.body.data as { recovery_codes: string[] }).recovery_codes;

/**
 * Creates a person with an active second factor. Two time steps have passed since the factor was confirmed.
 */
const protectedPerson = async () => {
  const person = await signedIn();
  const code = codeOf(await person.start());
  const recoveryCodes = recoveryCodesOf(await person.confirm(code()));
  desk.advance(2 * step);
  return { ...person, code, recoveryCodes };
};

/** Returns the number of queries of the test service that currently wait for a lock. */
const waiting = async () => {
  const { rows } = await desk.db.query<{ count: bigint }>(
    `select count(*) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0n;
};

const wrongCode = (right: string) => (right === '000000' ? '000001' : '000000');

describe('setting up the second factor', () => {
  it('setting up the second factor returns a secret that is inactive until a code confirms it', async () => {
    const { email, browser, start, confirm } = await signedIn();
    const started = await start();
    expect(started.body.data).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_uri: expect.stringMatching(/^otpauth:\/\/totp\/Desk%20%26%20Co:person\d+%40/),
    });
    expect((await desk.browser().signIn(email)).status).toBe(200);
    const code = codeOf(started);
    expect(outcome(await confirm(wrongCode(code())))).toEqual([401, 'second_factor_invalid']);
    const confirmed = await confirm(code());
    expect(confirmed.status).toBe(200);
    const codes = recoveryCodesOf(confirmed);
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(desk.events.at(-1)).toMatchObject({ action: 'second_factor_enabled' });
    const me = await browser.send('GET', '/panel/session');
    expect(me.body.data).toMatchObject({ second_factor: true, recovery_codes_left: 10 });
    expect((await desk.browser().signIn(email)).body.code).toBe('second_factor_required');
  });

  it('setting up the second factor needs the password', async () => {
    const { browser } = await signedIn();
    const answer = await browser.send('POST', '/panel/second-factor', { password: 'wrong one' });
    expect(outcome(answer)).toEqual([403, 'password_wrong']);
  });

  it('an active second factor cannot be replaced, and only a started set-up can be confirmed', async () => {
    const { start, confirm, code } = await protectedPerson();
    expect(outcome(await start())).toEqual([409, 'second_factor_on']);
    expect(outcome(await confirm(code()))).toEqual([409, 'second_factor_on']);
    const other = await signedIn();
    expect(outcome(await other.confirm('123456'))).toEqual([409, 'second_factor_not_started']);
  });

  it('neither the secret nor the recovery codes are stored in readable form', async () => {
    const person = await signedIn();
    const started = await person.start();
    const { secret } = started.body.data as { secret: string };
    const codes = recoveryCodesOf(await person.confirm(codeOf(started)()));
    const { rows } = await desk.db.query<{ row: string }>(
      'select people::text as row from people where id = $1',
      [person.id],
    );
    const row = rows[0]?.row ?? '';
    expect(row).not.toContain(fromBase32(secret).toString('hex'));
    for (const each of [secret, ...codes]) expect(row).not.toContain(each);
  });
});

describe('signing in with a second factor', () => {
  it('signing in with a second factor starts no session before the code is given', async () => {
    const { email } = await protectedPerson();
    const browser = desk.browser();
    const answer = await browser.signIn(email);
    expect(outcome(answer)).toEqual([401, 'second_factor_required']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(browser.cookie).toBeUndefined();
  });

  it('a wrong password does not reveal that the person has a second factor', async () => {
    const { email, code } = await protectedPerson();
    const answer = await desk.browser('198.51.100.1').signIn(email, 'wrong one', code());
    expect(outcome(answer)).toEqual([401, 'sign_in_failed']);
  });

  it('the codes of the current, previous and next time step are accepted, even with spaces', async () => {
    const { email, code } = await protectedPerson();
    expect((await desk.browser().signIn(email, goodPassword, code(-1n))).status).toBe(200);
    const typed = code().replace(/^(...)/, '$1 ');
    expect((await desk.browser().signIn(email, goodPassword, typed)).status).toBe(200);
    expect((await desk.browser().signIn(email, goodPassword, code(1n))).status).toBe(200);
    expect(outcome(await desk.browser().signIn(email, goodPassword, code(2n)))).toEqual([
      401,
      'second_factor_invalid',
    ]);
  });

  it('a code is accepted only once, and after it no older code is accepted', async () => {
    const { email, code } = await protectedPerson();
    expect((await desk.browser().signIn(email, goodPassword, code())).status).toBe(200);
    for (const replayed of [code(), code(-1n)]) {
      const answer = await desk.browser().signIn(email, goodPassword, replayed);
      expect(outcome(answer)).toEqual([401, 'second_factor_invalid']);
    }
  });

  it('only one of five concurrent requests with the same code is accepted', async () => {
    const { id, email, code } = await protectedPerson();
    const shared = code();
    const pending = await desk.db.transaction(async (tx) => {
      await tx.query('select 1 from people where id = $1 for update', [id]);
      const answers = Array.from({ length: 5 }, () => desk.browser().signIn(email, goodPassword, shared));
      await eventually(async () => expect(await waiting()).toBe(5n));
      return { answers };
    });
    const answers = await Promise.all(pending.answers);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('signing in with a second factor does not count a right code as a guess', async () => {
    const { email, code } = await protectedPerson();
    for (let i = 0; i < 12; i++) {
      expect((await desk.browser().signIn(email, goodPassword, code())).status).toBe(200);
      desk.advance(step);
    }
  });

  it('the code that confirmed the second factor is not accepted at sign-in', async () => {
    const person = await signedIn();
    const code = codeOf(await person.start());
    await person.confirm(code());
    const answer = await desk.browser().signIn(person.email, goodPassword, code());
    expect(answer.body.code).toBe('second_factor_invalid');
  });

  it('each recovery code is accepted once, in any letter case and spacing', async () => {
    const { email, browser, recoveryCodes } = await protectedPerson();
    const [first = '', second = ''] = recoveryCodes;
    const typed = first.toUpperCase().replaceAll('-', ' ');
    expect((await desk.browser().signIn(email, goodPassword, typed)).status).toBe(200);
    const again = await desk.browser().signIn(email, goodPassword, first);
    expect(outcome(again)).toEqual([401, 'second_factor_invalid']);
    expect((await desk.browser().signIn(email, goodPassword, second)).status).toBe(200);
    const me = await browser.send('GET', '/panel/session');
    expect(me.body.data).toMatchObject({ recovery_codes_left: 8 });
  });

  it('signing in with a second factor does not accept the recovery code of another person', async () => {
    const one = await protectedPerson();
    const other = await protectedPerson();
    const answer = await desk.browser().signIn(one.email, goodPassword, other.recoveryCodes[0]);
    expect(answer.body.code).toBe('second_factor_invalid');
  });

  it('only ten wrong codes per hour are allowed, from all networks together', async () => {
    const { email, code } = await protectedPerson();
    for (let i = 0; i < 10; i++) {
      const answer = await desk.browser(`203.0.113.${i}`).signIn(email, goodPassword, wrongCode(code()));
      expect(outcome(answer)).toEqual([401, 'second_factor_invalid']);
    }
    const limited = await desk.browser('203.0.113.99').signIn(email, goodPassword, code());
    expect(outcome(limited)).toEqual([429, 'rate_limited']);
    expect(limited.headers['retry-after']).toBe('3600');
    desk.advance(hour);
    const answer = await desk.browser('203.0.113.99').signIn(email, goodPassword, code());
    expect(answer.status).toBe(200);
  });
});

describe('turning off the second factor', () => {
  const off = (person: Awaited<ReturnType<typeof signedIn>>, body: object) =>
    person.browser.send('DELETE', '/panel/second-factor', body);

  it('turning off the second factor needs the password and a code; sign-in then needs no code', async () => {
    const person = await protectedPerson();
    const code = person.code();
    const wrong = await off(person, { password: 'wrong one', code });
    expect(outcome(wrong)).toEqual([403, 'password_wrong']);
    const guess = await off(person, { password: goodPassword, code: wrongCode(code) });
    expect(outcome(guess)).toEqual([401, 'second_factor_invalid']);
    expect((await off(person, { password: goodPassword, code })).status).toBe(200);
    expect(desk.events.at(-1)).toMatchObject({ action: 'second_factor_disabled' });
    expect((await desk.browser().signIn(person.email)).status).toBe(200);
    expect(outcome(await off(person, { password: goodPassword, code }))).toEqual([409, 'second_factor_off']);
  });
});
