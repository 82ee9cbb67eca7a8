// Another site can make a signed-in browser send requests. Every route of the panel refuses these requests.
import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { password } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let cookie: string;
const routes: { method: 'POST' | 'PATCH' | 'DELETE'; url: string }[] = [];

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  await given.player(owner, { playerId: 'ann', balance: '5.00' });
  const email = 'both@example.com';
  const memberships = [
    { tenantId: 0n, role: 'administrator' },
    { tenantId: BigInt(owner.id), role: 'owner' },
  ] as const;
  await given.db.transaction((tx) =>
    createPersonWithPassword(tx, { email, name: 'Both', password, memberships, passwords: cheapHasher }),
  );
  const signedIn = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin: given.config.publicUrl },
    payload: { email, password },
  });
  cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  const described = await given.app.inject({ url: '/openapi.json' });
  for (const [path, methods] of Object.entries(described.json().paths as object)) {
    for (const method of Object.keys(methods)) {
      if (!path.startsWith('/panel/') || method === 'get') continue;
      const url = path.replace('{package_id}', String(owner.id)).replace(/\{[^}]+\}/g, '1');
      routes.push({ method: method.toUpperCase() as 'POST', url });
    }
  }
});

afterAll(() => given.close());

/** All rows that a forged request could have changed. */
async function readBooks(): Promise<unknown> {
  const tables = [
    'packages',
    'package_keys',
    'players',
    'accounts',
    'journal',
    'audit_log',
    'people',
    'sessions',
    'memberships',
    'one_time_links',
    'admin_tokens',
    'catalogue_copies',
  ];
  const texts = tables.map((table) => {
    const seen = table === 'sessions' ? ` - 'last_seen_at'` : '';
    return given.db.query(`select to_jsonb(t)${seen} as row from ${table} t order by 1`);
  });
  return (await Promise.all(texts)).map(({ rows }) => rows);
}

const body = JSON.stringify({
  purpose: 'caller',
  overlap: '0',
  password,
  amount: 1,
  type: 'credit',
});
const evil = 'https://evil.example';

it.each([
  ['a form with the type text/plain', { 'content-type': 'text/plain', origin: evil }, body],
  ['a form with fields', { 'content-type': 'application/x-www-form-urlencoded', origin: evil }, 'a=1'],
  ['a script that sends JSON', { 'content-type': 'application/json', origin: evil }, body],
  ['a page with the origin null', { 'content-type': 'application/json', origin: 'null' }, body],
  [
    'a request with Sec-Fetch-Site: cross-site',
    { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    body,
  ],
])('an attack by %s is refused by every route and changes nothing', async (_who, headers, payload) => {
  expect(routes.length).toBeGreaterThan(40);
  const before = await readBooks();
  const passed: string[] = [];
  for (const { method, url } of routes) {
    const answer = await given.app.inject({
      method,
      url,
      headers: { ...headers, cookie },
      payload,
    });
    const { code } = answer.json();
    if (answer.statusCode !== 403 || code !== 'cross_site_refused') {
      passed.push(`${method} ${url}: ${answer.statusCode} ${code}`);
    }
  }
  expect(passed).toEqual([]);
  expect(await readBooks()).toEqual(before);
});

it('a request with the origin of the panel and the same session cookie is accepted', async () => {
  const answer = await given.app.inject({
    method: 'POST',
    url: `/panel/packages/${owner.id}/key-pairs/rotate`,
    headers: { origin: given.config.publicUrl, cookie },
    payload: { purpose: 'caller', overlap: '0' },
  });
  expect(answer.statusCode).toBe(200);
});
