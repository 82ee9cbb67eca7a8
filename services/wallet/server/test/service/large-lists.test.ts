// Reads the lists of a large package. No page may read many more rows than it shows.
import type { Db, QueryRequest } from '@counterfoil/kit/postgres/db';
import { measureReads } from '@counterfoil/kit/testing/plans';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatCursor } from '../../src/wire/paging.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { fillPackage, largeTables } from '../environment/large-store.ts';
import { giveProgram, openSecondApp, type Send, sendWithToken } from '../environment/people.ts';

const rows = Number(process.env.LARGE_LIST_ROWS ?? 16_000);

let given: Given;
let base: string;
let packageId: number;
let send: Send;
let heard: QueryRequest[] = [];
let second: Awaited<ReturnType<typeof openSecondApp>>;

const listen = (db: Db): Db => ({
  ...db,
  query: (request, values = []) => {
    heard.push(typeof request === 'string' ? { text: request, values } : request);
    return db.query(request, values);
  },
});

beforeAll(async () => {
  given = await givenWallet();
  const owner = await given.package();
  const { databaseUrl } = given.config;
  await fillPackage(databaseUrl, { packageId: owner.id, rows, at: given.clock.now });
  const { token } = await giveProgram(given);
  second = await openSecondApp(given, {}, listen);
  send = sendWithToken(second.app, token);
  packageId = owner.id;
  base = `/admin/v1/packages/${packageId}`;
});

afterAll(async () => {
  await second?.close();
  await given?.close();
});

/** Sends a request and counts the rows of large tables that its queries read. */
async function measure(path: string) {
  heard = [];
  const started = performance.now();
  const answer = await send('GET', `${base}${path}`);
  const tookMs = performance.now() - started;
  const reads = await measureReads(given.db, heard, largeTables);
  if (process.env.LARGE_LIST_ROWS) {
    process.stdout.write(`${tookMs.toFixed(1).padStart(8)} ms ${String(reads.read).padStart(8)} ${path}\n`);
  }
  return { answer, ...reads };
}

const at = (list: string, position: string) => `cursor=${formatCursor(list, position)}`;
const day = (time: Date) => encodeURIComponent(time.toISOString());

/**
 * `page` is the size of a page. `plain` is the maximum number of rows that a page reads, including the names
 * that are looked up for each row.
 */
const page = 25;
const plain = 8 * page;
/** A page with a filter that has no index reads at most this many rows, and then returns a cursor. */
const looked = 3 * 5000;

const lists = (): [path: string, most: number][] => {
  const deep = String(Math.floor(rows / 10));
  const deepTime = given.clock.now.getTime() - rows * 50;
  const calls = `/connections/con_${packageId}x${'0'.repeat(30)}/calls`;
  const old = day(new Date(given.clock.now.getTime() - rows * 900));
  return [
    ['/players', plain],
    [`/players?${at('players', 'player-55')}`, plain],
    // If the ids that begin with the text do not fill the page, the search also scans for other matches.
    ['/players?search=player-7', looked],
    ['/players?search=nobody', looked],
    ['/players?search=zz', looked],
    ['/journal', plain],
    [`/journal?${at('journal', deep)}`, plain],
    ['/journal?kind=bet', looked],
    ['/journal?kind=rollback', looked],
    ['/journal?result=refused', looked],
    ['/journal?game_id=rare', looked],
    ['/journal?player_id=player-7', plain],
    ['/journal?player_id=player-7&kind=rollback', looked],
    [`/journal?to=${old}`, plain],
    [`/journal?from=${old}`, plain],
    ['/player/statement?player_id=player-7', plain],
    [`/player/statement?player_id=player-7&${at('statement', '7007')}`, plain],
    ['/rounds', looked],
    [`/rounds?${at('rounds', deep)}`, looked],
    ['/rounds?player_id=player-7', looked],
    ['/rounds?state=open', plain],
    ['/rounds?state=open&older_than=1h', plain],
    ['/callbacks', plain],
    [`/callbacks?${at('callbacks', `${deepTime}-5`)}`, plain],
    ['/callbacks?transaction_id=t-77', plain],
    ['/callbacks?player_id=player-7', plain],
    ['/callbacks?player_id=nobody', plain],
    ['/callbacks?code=player_blocked', plain],
    ['/callbacks?code=nothing_like_it', plain],
    [calls, plain],
    [`${calls}?${at('provider_calls', `${deepTime}-5`)}`, plain],
    [`${calls}?transaction_id=t-77`, looked],
    [`${calls}?transaction_id=nothing_like_it`, looked],
    ['/provider-calls', plain],
    [`/provider-calls?${at('provider_calls', `${deepTime}-5`)}`, plain],
    ['/provider-calls?player_id=nobody', looked],
    ['/audit-log', plain],
    [`/audit-log?${at('audit', deep)}`, plain],
    ['/audit-log?action=package_suspended', plain],
    ['/audit-log?action=nothing_like_it', plain],
    ['/top-ups', plain],
    [`/top-ups?${at('top_ups', deep)}`, plain],
    ['/sessions', plain],
    [`/sessions?${at('sessions', deep)}`, plain],
    // This page may read more rows, because the log of provider calls has no index of transaction ids.
    ['/transactions/t-77', looked],
    ['/player?player_id=player-7', plain],
    ['/player/proof?player_id=player-7', rows],
    // The spending rate uses at most the last 20,000 movements.
    ['/credit', 21_000],
  ];
};

it('no page of a list reads a whole large table, or more rows than the test allows', async () => {
  const limited = lists().map(([path, most]) => {
    const isList = !/^\/(transactions|player\?|player\/proof|credit)/.test(path);
    const mark = path.includes('?') ? '&' : '?';
    return [isList ? `${path}${mark}limit=${page}` : path, most] as const;
  });
  const breaches: string[] = [];
  for (const [path, most] of limited) {
    const { answer, read, whole } = await measure(path);
    if (answer.status !== 200) breaches.push(`${path}: ${answer.status} ${answer.text}`);
    if (whole.length > 0) breaches.push(`${path}: reads all of ${whole.join(', ')}`);
    if (read > most) breaches.push(`${path}: reads ${read} rows, not ${most}`);
  }
  expect(breaches).toEqual([]);
});
