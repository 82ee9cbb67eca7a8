// The ledger explorer: pages of the journal, their totals, and an export as CSV.
import { Readable } from 'node:stream';
import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { ReportReader } from '@counterfoil/kit/postgres/report-reader';
import { Type } from 'typebox';
import { type AccessPolicy, failures, getHome, packageRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { FeedLine, presentFeedLine } from '../feed/feed-line.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { formatMergeCursor, NextCursor, PageQuery, parseLimit, parseMergeCursor } from '../wire/paging.ts';
import { addUpJournal, exploreJournal } from './explore-journal.ts';
import { checkExport, exportCsv } from './export-csv.ts';
import { FilterQuery, readFilter } from './journal-filter.ts';
import { presentTotals, TotalsAnswer } from './journal-totals.ts';

interface JournalRouteDeps extends Pick<ManagementDeps, 'db' | 'now'> {
  /**
   * The database for totals and exports, which may be a standby. Access is checked on the primary database.
   */
  readonly reports: ReportReader;
}

const querystring = Type.Object(FilterQuery);
/**
 * The maximum number of exports at a time. Each export occupies a database connection until its client has
 * read everything.
 */
const maxExports = 4;

export function registerJournalManagement(app: App, policy: AccessPolicy, deps: JournalRouteDeps): void {
  registerPages(app, policy, deps);
  registerTotals(app, policy, deps);
  registerExport(app, policy, deps);
}

function registerPages(app: App, policy: AccessPolicy, { db }: JournalRouteDeps): void {
  const description = 'Newest first. A page may be shorter than its limit although another page follows.';
  const data = Type.Object({ movements: Type.Array(FeedLine), next_cursor: NextCursor });
  const shown = { role: 'member', summary: "Explore a package's journal", description, data } as const;
  const route = packageRoute(policy, shown, { querystring: Type.Object({ ...PageQuery, ...FilterQuery }) });
  app.get(`${policy.packagePath}/journal`, route, async (request) => {
    const { packageId } = getHome(request);
    const limit = parseLimit(request.query.limit);
    const start = parseMergeCursor(request.query.cursor, 'journal');
    const owner = await getManagedPackage(db, packageId);
    const filter = await readFilter(db, packageId, request.query);
    const page = await exploreJournal(db, filter, { start, limit });
    return answer(request, {
      movements: page.entries.map((entry) => presentFeedLine(entry, owner)),
      next_cursor: formatMergeCursor('journal', page.next),
    });
  });
}

function registerTotals(app: App, policy: AccessPolicy, { db, reports }: JournalRouteDeps): void {
  const summary = "Add up a part of a package's journal";
  const route = packageRoute(policy, { role: 'member', summary, data: TotalsAnswer }, { querystring });
  // Totals are computed one at a time, because each may occupy a connection for a second.
  const enqueue = createSerialQueue({ maxWaiting: 20 });
  app.get(`${policy.packagePath}/journal/totals`, route, async (request, reply) => {
    const { packageId } = getHome(request);
    const owner = await getManagedPackage(db, packageId);
    const filter = await readFilter(db, packageId, request.query);
    const found = await enqueue(() => reports.read((source) => addUpJournal(source, filter)));
    reply.headers(found.headers);
    return answer(request, presentTotals(found.result, owner));
  });
}

function registerExport(app: App, policy: AccessPolicy, { db, reports, now }: JournalRouteDeps): void {
  const shown = {
    role: 'member',
    summary: "A part of a package's journal as CSV",
    description: 'Up to a million movements per file. For more, narrow the time range.',
    data: Nothing,
  } as const;
  const { schema, onRequest } = packageRoute(policy, shown, { querystring });
  const file = { description: 'The file.', content: { 'text/csv': { schema: {} } } };
  const route = { schema: { ...schema, response: { 200: file, ...failures } }, onRequest };
  let running = 0;
  app.get(`${policy.packagePath}/journal.csv`, route, async (request, reply) => {
    const { packageId } = getHome(request);
    const owner = await getManagedPackage(db, packageId);
    const filter = await readFilter(db, packageId, request.query);
    await checkExport(db, filter, now());
    if (running >= maxExports) throw fail('overloaded');
    running++;
    const source = await reports.open();
    const stream = Readable.from(exportCsv(source.db, filter, owner));
    stream.once('close', () => {
      running--;
      source.close();
    });
    const name = `journal-${owner.uid}-${now().toISOString().slice(0, 10)}.csv`;
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .headers(source.headers)
      .send(stream as never);
  });
}
