// Writes the journal as CSV, page by page, with cells that a spreadsheet does not run as formulas.

import { formatMinor, type Unit } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { FeedEntry } from '../feed/feed-line.ts';
import type { MergePosition } from '../ledger/queries.ts';
import { changeOf, firstPlayerAccount, getSubject, isPromoAccount } from '../ledger/rules/movement.ts';
import { findFirstSequence } from '../proof/queries.ts';
import { exploreJournal } from './explore-journal.ts';
import type { JournalFilter } from './journal-filter.ts';

const columns = [
  'sequence',
  'created_at',
  'kind',
  'result',
  'transaction_id',
  'player_id',
  'amount',
  'change',
  'balance',
  'currency',
  'game_id',
  'note',
  'purse',
  'shortfall',
  'connection_id',
  'connection',
];

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. Some programs split cells at
 * semicolons or tabs, even inside double quotes. So a formula after one of these characters gets an
 * apostrophe too.
 */
const neutralise = (text: string): string =>
  text.replace(/^[\t\r]|(?<=(?:^|[;\t\r\n])[" ]*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g, "'$&");

const quote = (text: string): string => (/[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const writeText = (text: string): string => quote(neutralise(text));

const csvHead = `${columns.join(',')}\r\n`;

function writeCsvLine({ movement, note, playerId, connection }: FeedEntry, unit: Unit): string {
  const { account, balance } = getSubject(movement);
  const cells = [
    String(movement.sequence),
    new Date(movement.createdAtMs).toISOString(),
    movement.kind,
    movement.result,
    writeText(movement.transactionId),
    writeText(playerId ?? ''),
    formatMinor(movement.amount, unit),
    formatMinor(changeOf(movement, account), unit),
    formatMinor(balance, unit),
    unit.currency,
    writeText(movement.gameId ?? ''),
    writeText(note ?? ''),
    account < firstPlayerAccount ? '' : isPromoAccount(account) ? 'promo' : 'cash',
    movement.shortfall === undefined ? '' : formatMinor(movement.shortfall, unit),
    connection?.id ?? '',
    writeText(connection?.name ?? ''),
  ];
  return `${cells.join(',')}\r\n`;
}

const maxRows = 1_000_000n;

const pageSize = 1000;

/**
 * Refuses an export of all players that is too large, instead of cutting it off. An export of one player has
 * no limit.
 */
export async function checkExport(db: Db, filter: JournalFilter, now: Date): Promise<void> {
  if (filter.accounts !== undefined) return;
  const end = filter.last ?? (await findFirstSequence(db, filter.packageId, now));
  const rows = end - filter.first + 1n;
  if (rows <= maxRows) return;
  const sentence = `is needed: ${rows} movements are more than ${maxRows} at once.`;
  throw fail('invalid_parameter', { errors: { from: [sentence] } });
}

export async function* exportCsv(db: Db, filter: JournalFilter, unit: Unit): AsyncGenerator<string> {
  yield csvHead;
  let start: MergePosition | undefined;
  do {
    const page = await exploreJournal(db, filter, { start, limit: pageSize });
    if (page.entries.length > 0) {
      yield page.entries.map((entry) => writeCsvLine(entry, unit)).join('');
    }
    start = page.next;
  } while (start !== undefined);
}
