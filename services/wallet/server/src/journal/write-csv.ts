// The journal as CSV that a spreadsheet opens without running any of it.
import { formatMinor } from '@counterfoil/kit/money';
import type { FeedEntry } from '../feed/feed-line.ts';
import { getSubject, movesMoney } from '../ledger/rules/movement.ts';

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
];

/**
 * What a spreadsheet would take for a formula gets a quote in front, also where the cell begins only
 * for a reader whose cells end at semicolons or tabs. To the same reader our own quotes are text.
 */
const neutralise = (text: string): string =>
  text.replace(/^[\t\r]|(?<=(?:^|[;\t\r\n])[" ]*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g, "'$&");

const quote = (text: string): string =>
  /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const writeText = (text: string): string => quote(neutralise(text));

export const csvHead = `${columns.join(',')}\r\n`;

export function writeCsvLine({ movement, note, playerId }: FeedEntry, currency: string): string {
  const { account, balance } = getSubject(movement);
  const moved = movesMoney(movement.result) ? movement.amount : 0n;
  const change = movement.creditAccount === account ? moved : -moved;
  const cells = [
    String(movement.sequence),
    new Date(movement.createdAtMs).toISOString(),
    movement.kind,
    movement.result,
    writeText(movement.transactionId),
    writeText(playerId ?? ''),
    formatMinor(movement.amount, currency),
    formatMinor(change, currency),
    formatMinor(balance, currency),
    currency,
    writeText(movement.gameId ?? ''),
    writeText(note ?? ''),
  ];
  return `${cells.join(',')}\r\n`;
}
