// Every list of the panel, for a workspace with many rows: a page reads about as many rows as it shows.
import { measureReads } from '@counterfoil/kit/testing/plans';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CountedApp, openCountedApp } from '../environment/counted-app.ts';
import { setUpLicensing } from '../environment/given.ts';
import { fillWorkspace, largeTables } from '../environment/large-store.ts';
import { type Browser, givenSignedIn } from '../environment/panel-browser.ts';

const rows = Number(process.env.LARGE_LIST_ROWS ?? 16_000);

const given = setUpLicensing();
let panel: Browser & { base: string };
let listening: CountedApp;

beforeAll(async () => {
  const workspaceId = await given.workspace();
  const { databaseUrl } = given.config;
  await fillWorkspace(databaseUrl, { workspaceId, rows, at: given.clock.now });
  listening = await openCountedApp(given);
  panel = await givenSignedIn({ ...given, app: listening.app }, workspaceId);
});

afterAll(() => listening?.close());

/** Counts the rows of large tables that one request reads. */
async function measure(path: string) {
  listening.requests.length = 0;
  const answer = await panel.get(`${panel.base}${path}`);
  return { answer, ...(await measureReads(given.db, [...listening.requests], largeTables)) };
}

/** The number of rows on a page. */
const page = 25;
/**
 * The maximum number of rows that a request reads if it uses an index. The number exceeds `page`, because the
 * request also reads rows of other tables for each row of the page.
 */
const plain = 8 * page;
/**
 * No index finds a part of a name. A search therefore scans 10,000 items for matches, and scans them again to
 * find the cursor of the next page.
 */
const looked = 2 * 10_000;

const lists: [path: string, most: number][] = [
  ['/items', plain],
  ['/items?state=withdrawn', plain],
  ['/items?state=draft', plain],
  ['/items?kind=audio', plain],
  ['/items?kind=video', plain],
  ['/items?search=item', looked],
  ['/items?search=nothing%20like%20it', looked],
  ['/items?search=nothing%20like%20it&state=withdrawn', plain],
  ['/purchases', plain],
  ['/purchases?state=active', plain],
  ['/purchases?state=disputed', plain],
  ['/purchases?state=cancelled', plain],
  ['/purchases?buyer_email=buyer-7@test.example', plain],
  ['/purchases?buyer_email=nobody@test.example', plain],
  ['/purchases?buyer_name=ada%20b', plain],
  // Many names match, so PostgreSQL scans the rows from the newest to the oldest. It may read many rows
  // before it finds the first match.
  ['/purchases?buyer_name=BUYER%201', rows],
  ['/purchases?buyer_name=nobody', plain],
  ['/purchases?purchase_code=nothing-like-it', plain],
  ['/purchases?host=shop-7.example', plain],
  ['/purchases?host=localhost', plain],
  ['/purchases?host=nothing-like-it.example', plain],
  ['/pools', plain],
  ['/requests', plain],
  ['/requests?status=2xx', plain],
  ['/requests?status=4xx', plain],
  ['/requests?status=5xx', plain],
  ['/requests?code=purchase_disputed', plain],
  ['/requests?code=nothing_like_it', plain],
  ['/requests?from_page=true', plain],
  ['/requests?api_key_id=7', plain],
  ['/requests?api_key_id=9', plain],
  ['/requests?api_key_id=7&code=purchase_disputed', plain],
  ['/audit-log', plain],
  ['/audit-log?action=seller_set', plain],
  ['/audit-log?action=nothing_like_it', plain],
];

const limited = (path: string) => `${path}${path.includes('?') ? '&' : '?'}limit=${page}`;

describe('a workspace with very many rows', () => {
  it('a page of a list reads neither a whole large table nor many more rows than it shows', async () => {
    const { rows: found } = await given.db.query<{ id: bigint }>('select min(id) as id from items');
    const ofItem = `/purchases?item_id=${found[0]?.id}`;
    const breaches: string[] = [];
    const all = [
      ...lists,
      [ofItem, plain],
      [`${ofItem}&state=disputed`, plain],
      [`/pools?item_id=${found[0]?.id}`, plain],
    ] as typeof lists;
    for (const [path, most] of all) {
      const { answer, read, whole } = await measure(limited(path));
      if (answer.status !== 200) breaches.push(`${path}: ${answer.status} ${answer.text}`);
      if (whole.length > 0) breaches.push(`${path}: reads all of ${whole.join(', ')}`);
      if (read > most) breaches.push(`${path}: reads ${read} rows, not ${most}`);
    }
    expect(breaches).toEqual([]);
  });

  it('each page of a search continues after the previous page, until a very old item is found', async () => {
    const found: string[] = [];
    let cursor = '';
    let pages = 0;
    do {
      const at = cursor && `&cursor=${cursor}`;
      const { body } = await panel.get(`${panel.base}/items?search=heron${at}`);
      found.push(...body.data.items.map((each: { name: string }) => each.name));
      cursor = body.data.next_cursor ?? '';
      pages += 1;
    } while (cursor !== '' && pages <= rows / 1000);
    expect([found, pages]).toEqual([['Old heron'], Math.floor(rows / 10_000) + 1]);
  });

  it('the tenth page of a list reads as few rows as the first page', async () => {
    const breaches: string[] = [];
    for (const path of ['/items', '/purchases', '/requests', '/audit-log']) {
      let cursor: string | undefined;
      let read = 0;
      for (let turned = 0; turned < 10; turned += 1) {
        const at = cursor === undefined ? '' : `&cursor=${cursor}`;
        const measured = await measure(`${limited(path)}${at}`);
        cursor = measured.answer.body.data.next_cursor;
        read = measured.read;
      }
      if (cursor === undefined || read > plain) breaches.push(`${path}: ${read} rows, ${cursor}`);
    }
    expect(breaches).toEqual([]);
  });
});
