// Sends generated requests to the public API: no answer is a 5xx or malformed, and no data changes.
import type { Db } from '@counterfoil/kit/postgres/db';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { openCountedApp } from './counted-app.ts';
import { type Given, givenLicensing } from './given.ts';

type Known = Record<'key' | 'revoked' | 'publishable' | 'code' | 'itemId', string>;

async function givenKnown(given: Given): Promise<Known> {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  return {
    key: await given.apiKey(workspaceId),
    revoked: await given.apiKey(workspaceId, { revokedAt: new Date('2020-01-01') }),
    publishable: await given.apiKey(workspaceId, {
      kind: 'publishable',
      scopes: ['purchases:validate'],
      itemId,
    }),
    code: (await given.purchase(workspaceId, itemId)).code,
    itemId: String(itemId),
  };
}

/**
 * The keys and codes that generated requests use. The test assigns them when it runs, because they do not
 * exist earlier.
 */
let known: Known;

/** Returns the number of rows and a digest of each table. The rows of partitions count for their table. */
async function digestTables(db: Db): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition order by 1`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await db.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest
       from "${name}" t`,
    );
    digests[name] = found[0]?.digest ?? '';
  }
  return digests;
}

const names = [
  'api_key',
  'purchase_code',
  'item_id',
  'page',
  'per_page',
  'category',
  'updated_since',
  'domain',
  '__proto__',
  'constructor',
  'api_key[]',
  '',
];
const nasty = [
  '',
  '\u0000',
  '\ud800',
  '\udfff',
  '\u2028',
  "' or 1=1 --",
  '%',
  '%00',
  '%ff',
  '-0',
  '1e400',
  '9'.repeat(30),
  'null',
  '{"a":1}',
  'a'.repeat(10_000),
  '😀'.repeat(200),
  '\r\n',
];

const text = fc.oneof(
  fc.constantFrom('key', 'revoked', 'publishable', 'code', 'itemId').map((name) => ({ name })),
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
type Text = { name: string } | string;
const say = (given: Text): string => (typeof given === 'string' ? given : known[given.name as keyof Known]);

const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((json) => ({ json })) },
);
const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 });
const contentType = fc.constantFrom(
  undefined,
  'application/json',
  'application/json; charset=latin1',
  'text/plain',
  ';;',
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
);

type Pair = [string, Text | { json: unknown }];
const plain = (given: Pair[1]): string =>
  typeof given === 'object' && 'json' in given ? JSON.stringify(given.json) : say(given);
/** Escapes a text for a URL. A lone surrogate cannot be escaped, so it is sent as the bytes of U+FFFD. */
const inUrl = (given: string) => encodeURIComponent(Buffer.from(given).toString());

const writers: Record<string, (body: Pair[], junk: string) => string> = {
  json: (body) =>
    `{${body
      .map(([name, given]) => {
        const isJson = typeof given === 'object' && 'json' in given;
        return `${JSON.stringify(name)}:${isJson ? JSON.stringify(given.json) : JSON.stringify(say(given))}`;
      })
      .join(',')}}`,
  form: (body) => body.map(([name, given]) => `${inUrl(name)}=${inUrl(plain(given))}`).join('&'),
  multipart: (body) =>
    `${body
      .map(
        ([name, given]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${plain(given)}\r\n`,
      )
      .join('')}--b--\r\n`,
  junk: (_body, junk) => junk,
  cut: (body, junk) => (writers.json as (b: Pair[], j: string) => string)(body, junk).slice(0, -1),
};

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD'),
  path: fc.constantFrom(
    '/api/purchases/validation',
    '/api/purchases/validation',
    '/api/items/all',
    '/api/items/item',
    '/api/account/details',
  ),
  query: fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 }),
  headerKey: fc.option(text, { nil: undefined }),
  bearer: fc.option(text, { nil: undefined }),
  body: pairs as fc.Arbitrary<Pair[]>,
  writer: fc.constantFrom(...Object.keys(writers)),
  junk: fc.string({ unit: 'binary', maxLength: 60 }),
  contentType,
});

/** Removes the characters that a header cannot contain, and cuts the text to 2,000 characters. */
const headerText = (given: Text) =>
  say(given)
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .slice(0, 2000);

export async function sendGenerated(cases: number): Promise<void> {
  const given = await givenLicensing();
  const api = await openCountedApp(given);
  onTestFinished(async () => {
    await api.close();
    await given.close();
  });
  known = await givenKnown(given);
  const before = await digestTables(given.db);
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async (each) => {
      const query = each.query.map(([name, given]) => `${inUrl(name)}=${inUrl(say(given))}`);
      const writer = writers[each.writer] as (typeof writers)[string];
      const answer = await api.app.inject({
        method: each.method as 'GET',
        url: `${each.path}?${query.join('&')}`.slice(0, 9000),
        headers: {
          ...(each.headerKey !== undefined && { 'x-api-key': headerText(each.headerKey) }),
          ...(each.bearer !== undefined && { authorization: `Bearer ${headerText(each.bearer)}` }),
          ...(each.contentType !== undefined && { 'content-type': each.contentType }),
        },
        ...(each.method === 'POST' && { payload: Buffer.from(writer(each.body, each.junk)) }),
      });
      seen.add(answer.statusCode);
      expect(answer.statusCode).toBeLessThan(500);
      if (each.method === 'HEAD' || answer.statusCode === 304) return;
      const body = answer.json();
      if (answer.statusCode === 200) expect(body.status).toBe('success');
      else {
        expect(body).toMatchObject({
          status: 'error',
          msg: expect.any(String),
          code: expect.stringMatching(/^[a-z_]+$/),
          request_id: expect.any(String),
          retryable: expect.any(Boolean),
        });
      }
    }),
    { numRuns: cases, seed: 20_260_504 },
  );
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 429]));
  expect(await digestTables(given.db)).toEqual(before);
  for (const statement of api.statements) expect(statement).toMatch(/^\s*select /);
}
