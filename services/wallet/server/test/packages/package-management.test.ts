// Packages are issued, approved, suspended, resumed, edited and listed with an admin token.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let admin: Send;

beforeAll(async () => {
  given = await givenWallet();
  admin = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const all = '/admin/v1/packages';
const at = (id: number | string, rest = '') => `${all}/${id}${rest}`;

/** What the API shows of a package, and all lines of its audit log. */
const dumpPackage = async (id: number) => ({
  shown: (await admin('GET', at(id))).body.data.package,
  audited: (await admin('GET', at(id, '/audit-log'))).body.data.entries,
});

const call = (credentials: { uid: string; caller: { api_key: string; api_secret: string } }) =>
  given.app.inject({
    url: '/api/v1/user/balance?player_id=nobody',
    headers: {
      'x-uid': credentials.uid,
      'x-api-key': credentials.caller.api_key,
      'x-api-secret': credentials.caller.api_secret,
    },
  });

describe('issuing a package', () => {
  it('issuing a package creates a pending package and shows its credentials once', async () => {
    const { status, body } = await admin('POST', all, {
      name: ' Nimbus Play ',
      currency: 'EUR',
      domains: ['Play.Example', '*.shop.example', 'play.example', 'bücher.example'],
      caller_addresses: ['10.0.0.0/8', '::1', '::ffff:192.0.2.1'],
      callback_addresses: ['2001:DB8::/32'],
      alert_threshold: '100.50',
      overdraft_limit: 20,
      callback_security: 'signed',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      package: {
        id: expect.any(Number),
        uid: expect.stringMatching(/^UID_[0-9a-f]{24}$/),
        name: 'Nimbus Play',
        state: 'pending',
        currency: 'EUR',
        decimals: 2,
        sandbox: false,
        shared_launch: false,
        sandbox_of: null,
        sandbox_id: null,
        domains: ['play.example', '*.shop.example', 'xn--bcher-kva.example'],
        caller_addresses: ['10.0.0.0/8', '::1', '192.0.2.1'],
        callback_addresses: ['2001:db8::/32'],
        balance: 0,
        overdraft_limit: 20,
        alert_threshold: 100.5,
        max_stake: null,
        credit_alert: expect.objectContaining({ level: 'critical' }),
        callback_security: 'signed',
        aes_key_rotated_at: null,
        aes_key_previous_until: null,
        created_at: given.clock.now.toISOString(),
      },
      credentials: {
        uid: body.data.package.uid,
        caller: {
          api_key: expect.stringMatching(/^gpk_[\w-]{43}$/),
          api_secret: expect.stringMatching(/^gps_[\w-]{43}$/),
        },
        callback: {
          api_key: expect.stringMatching(/^gpk_/),
          api_secret: expect.stringMatching(/^gps_/),
        },
        aes_key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      },
      owner_link: null,
    });
    expect((await call(body.data.credentials)).json().code).toBe('package_not_approved');
    const again = await admin('GET', at(body.data.package.id));
    expect(again.body.data).toEqual({ package: body.data.package });
    expect(again.text).not.toContain('gps_');
  });

  it("issuing a package answers with an invitation link if the owner's e-mail is given", async () => {
    const body = { name: 'Owned', currency: 'JPY', owner_email: 'Owner@Example.com' };
    const issued = await admin('POST', all, body);
    const token = String(issued.body.data.owner_link).split('#token=')[1];
    const redeemed = await given.app.inject({
      method: 'POST',
      url: '/panel/links/redeem',
      headers: { origin: given.config.publicUrl },
      payload: { token, name: 'The Owner', password: 'a good long password' },
    });
    expect(redeemed.statusCode).toBe(200);
    const members = await admin('GET', at(issued.body.data.package.id, '/members'));
    expect(members.body.data.members).toMatchObject([{ email: 'owner@example.com', role: 'owner' }]);
  });

  const good = { name: 'x', currency: 'EUR' };
  it.each([
    ['no name', { currency: 'EUR' }, 'name'],
    ['a blank name', { ...good, name: '   ' }, 'name'],
    ['a name with a NUL', { ...good, name: 'a\u0000' }, 'name'],
    ['a lone surrogate', { ...good, name: '\ud800' }, 'name'],
    ['a long name', { ...good, name: 'x'.repeat(129) }, 'name'],
    ['an unknown currency', { ...good, currency: 'EUX' }, 'currency'],
    ['a currency in lower case', { ...good, currency: 'eur' }, 'currency'],
    ['a domain with a scheme', { ...good, domains: ['https://a.example'] }, 'domains.0'],
    ['a domain with a port', { ...good, domains: ['a.example', 'a.example:80'] }, 'domains.1'],
    ['the domain *', { ...good, domains: ['*'] }, 'domains.0'],
    ['a whole top-level domain', { ...good, domains: ['*.com'] }, 'domains.0'],
    ['a text instead of a list', { ...good, domains: 'a.example' }, 'domains'],
    ['null instead of a list', { ...good, domains: null }, 'domains'],
    ['101 domains', { ...good, domains: Array(101).fill('a.example') }, 'domains'],
    ['an incomplete address', { ...good, caller_addresses: ['10.0.0'] }, 'caller_addresses.0'],
    ['a prefix of 33 bits', { ...good, caller_addresses: ['10.0.0.0/33'] }, 'caller_addresses.0'],
    ['an address with a zone', { ...good, callback_addresses: ['fe80::1%eth0'] }, 'callback_addresses.0'],
    ['an unknown callback security', { ...good, callback_security: 'none' }, 'callback_security'],
    ['a threshold with three decimals', { ...good, alert_threshold: 0.001 }, 'alert_threshold'],
    ['a negative limit', { ...good, overdraft_limit: -1 }, 'overdraft_limit'],
    ['null as a limit', { ...good, overdraft_limit: null }, 'overdraft_limit'],
    ['an invalid e-mail', { ...good, owner_email: 'x' }, 'owner_email'],
  ])('a package with %s is refused, and the error names the field', async (_title, body, field) => {
    const before = await admin('GET', `${all}?limit=1`);
    const answer = await admin('POST', all, body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, [field]]);
    const after = await admin('GET', `${all}?limit=1`);
    expect(after.body.data).toEqual(before.body.data);
  });
});

describe('changing the state of a package', () => {
  it('a request to resume a package with an array as its body is refused and changes nothing', async () => {
    const issued = await admin('POST', all, { name: 'Arrays', currency: 'EUR' });
    const { id } = issued.body.data.package;
    await admin('POST', at(id, '/approve'));
    await admin('POST', at(id, '/suspend'), { reason: 'unpaid' });
    const before = await dumpPackage(id);
    expect(await admin('POST', at(id, '/resume'), [{ dry_run: true }])).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: { body: ['must be a JSON object.'] } },
    });
    expect(before.shown.state).toBe('suspended');
    expect(await dumpPackage(id)).toEqual(before);
  });

  it('a package is approved, suspended and resumed, and a second approval changes nothing', async () => {
    const issued = await admin('POST', all, { name: 'States', currency: 'EUR' });
    const { package: made, credentials } = issued.body.data;
    const step = async (verb: string, code: string, body?: object) => {
      const answer = await admin('POST', at(made.id, `/${verb}`), body);
      expect([verb, answer.status]).toEqual([verb, 200]);
      expect((await call(credentials)).json().code).toBe(code);
      return answer.body.data.package.state;
    };
    expect(await step('approve', 'player_not_found')).toBe('approved');
    const approved = await dumpPackage(made.id);
    expect(await step('approve', 'player_not_found')).toBe('approved');
    expect(await dumpPackage(made.id)).toEqual(approved);
    expect(await step('suspend', 'player_not_found', { reason: 'unpaid' })).toBe('suspended');
    expect(await step('resume', 'player_not_found')).toBe('approved');
    const log = await admin('GET', at(made.id, '/audit-log'));
    const lines = log.body.data.entries.map((each: { action: string }) => each.action);
    expect(lines).toEqual(['package_resumed', 'package_suspended', 'package_approved', 'package_issued']);
    expect(log.body.data.entries[1]).toMatchObject({
      actor: { kind: 'admin_token', id: expect.any(Number) },
      address: '10.7.7.7',
      subject: { kind: 'package', id: String(made.id) },
      details: { reason: 'unpaid' },
    });
  });

  it.each([
    ['pending', 'suspend'],
    ['pending', 'resume'],
    ['suspended', 'approve'],
  ] as const)('a %s package refuses the operation %s with 409 and the package state', async (state, verb) => {
    const { id } = await given.package({ state, credit: '0' });
    const answer = await admin('POST', at(id, `/${verb}`));
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'wrong_package_state', data: { state } },
    ]);
  });
});

describe('editing a package', () => {
  it('an edit changes only the given fields, and records old and new values in the audit log', async () => {
    const { id } = await given.package({ domains: ['old.example'], alertThreshold: 500n });
    const before = (await admin('GET', at(id))).body.data.package;
    const sent = { domains: ['new.example'], overdraft_limit: '12.34', name: 'Renamed' };
    const edited = await admin('PATCH', at(id), sent);
    const expected = { ...before, ...sent, overdraft_limit: 12.34 };
    expect(edited.body.data.package).toEqual(expected);
    const log = await admin('GET', at(id, '/audit-log'));
    expect(log.body.data.entries).toMatchObject([
      {
        action: 'package_edited',
        details: {
          domains: { from: ['old.example'], to: ['new.example'] },
          overdraft_limit: { from: 0, to: 12.34 },
          name: { from: 'Test package', to: 'Renamed' },
        },
      },
    ]);
    await admin('PATCH', at(id), sent);
    await admin('PATCH', at(id), {});
    expect((await admin('GET', at(id, '/audit-log'))).body.data.entries).toHaveLength(1);
  });

  it('new lists of domains and IP addresses apply to callers at once', async () => {
    const owner = await given.package();
    const headers = { ...owner.headers, origin: 'https://fresh.example' };
    const get = () =>
      given.app.inject({
        url: '/api/v1/user/balance?player_id=x',
        headers,
        remoteAddress: '10.1.1.1',
      });
    expect((await get()).json().code).toBe('origin_not_allowed');
    await admin('PATCH', at(owner.id), { domains: ['fresh.example'] });
    expect((await get()).json().code).toBe('player_not_found');
    await admin('PATCH', at(owner.id), { caller_addresses: ['10.2.0.0/16'] });
    expect((await get()).json().code).toBe('address_not_allowed');
  });

  it('an invalid entry in a list leaves all settings unchanged', async () => {
    const { id } = await given.package();
    const before = await admin('GET', at(id));
    const answer = await admin('PATCH', at(id), { name: 'No', domains: ['ok.example', 'b c'] });
    expect([answer.status, answer.body.errors]).toEqual([400, { 'domains.1': [expect.any(String)] }]);
    expect((await admin('GET', at(id))).body.data).toEqual(before.body.data);
  });
});

describe('reading packages', () => {
  it('the list has each package once, newest first, with filters by state, name and UID', async () => {
    const named = [];
    for (let i = 0; i < 5; i++) {
      named.push(await given.package({ name: `Paged ${i}`, credit: '0', state: 'pending' }));
    }
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 10; pages++) {
      const page = await admin('GET', `${all}?search=paged&limit=2${cursor}`);
      seen.push(...page.body.data.packages.map((each: { name: string }) => each.name));
      if (page.body.data.next_cursor === null) break;
      cursor = `&cursor=${page.body.data.next_cursor}`;
    }
    expect(seen).toEqual(['Paged 4', 'Paged 3', 'Paged 2', 'Paged 1', 'Paged 0']);
    const byUid = await admin('GET', `${all}?search=${named[2]?.uid}&state=pending`);
    expect(byUid.body.data.packages).toMatchObject([{ name: 'Paged 2' }]);
    const none = await admin('GET', `${all}?search=${named[2]?.uid}&state=approved`);
    expect(none.body.data).toEqual({ packages: [], next_cursor: null });
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?cursor=x',
    '?cursor=cGFja2FnZXM6LTE',
    '?state=gone',
    '?sandbox=1',
    '?search=%00',
  ])('the list of packages refuses the query %s with 400', async (query) => {
    expect((await admin('GET', `${all}${query}`)).status).toBe(400);
  });

  it('the list of packages accepts a cursor whose id is larger than any package id', async () => {
    const far = Buffer.from('packages:999999999999999999').toString('base64url');
    expect((await admin('GET', `${all}?cursor=${far}`)).status).toBe(200);
  });

  it.each(['0', '-1', '999999', '2147483648', '99999999999999999999', 'abc', '1e1', '%00'])(
    'a request for the package id %s gets 404',
    async (id) => {
      const answer = await admin('GET', at(id));
      expect([answer.status, answer.body.code]).toEqual([404, 'package_not_found']);
    },
  );
});
