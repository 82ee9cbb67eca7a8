// Reads a page of the calls of one or all connections of a package. The work per page is bounded.
import { findPageEnd } from '@counterfoil/kit/http/parameters';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { formatCursor, parseCursorParts } from '../../wire/paging.ts';
import { type CallSearch, searchCalls, selectCalls, selectCallsAt } from '../queries.ts';
import type { ListedCall } from './call-line.ts';

/**
 * The maximum number of calls that a search reads per page. A page may therefore be short or empty although
 * another page follows.
 */
export const maxSearched = 5000;

const positionForm = /^(\d{1,15})-(\d{1,18})$/;

interface Wanted extends CallSearch {
  readonly packageId: number;
  /** The connection whose calls are listed; undefined for all connections of the package. */
  readonly connectionId: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export async function listCalls(
  db: Queryable,
  { transactionId, playerId, cursor, limit, ...of }: Wanted,
): Promise<{ calls: ListedCall[]; nextCursor: string | null }> {
  const [time, id] = parseCursorParts(cursor, 'provider_calls', positionForm);
  const before = id === undefined ? undefined : { at: new Date(Number(time)), id: BigInt(id) };
  if (transactionId === undefined && playerId === undefined) {
    const calls = await selectCalls(db, { ...of, before, limit });
    return { calls, nextCursor: formatPosition(findPageEnd(limit, calls)) };
  }
  const { found, end } = await searchCalls(db, {
    ...of,
    before,
    transactionId,
    playerId,
    rows: maxSearched,
  });
  const shown = found.slice(0, limit);
  const calls = shown.length === 0 ? [] : await selectCallsAt(db, of, shown);
  return { calls, nextCursor: formatPosition(findPageEnd(limit, shown) ?? end) };
}

const formatPosition = (last: { at: Date; id: bigint } | undefined): string | null =>
  formatCursor('provider_calls', last && `${last.at.getTime()}-${last.id}`);
