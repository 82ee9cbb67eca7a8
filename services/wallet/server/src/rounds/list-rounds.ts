// Rounds of a package, page by page: all by their opening, the newest first, or the open, the oldest first.
import { type Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { listOpenedRounds, listOpenRoundParts, type RoundPart } from '../ledger/round-queries.ts';
import { formatCursor, parseCursor } from '../wire/paging.ts';

export interface WantedRounds {
  readonly packageId: number;
  readonly account: bigint | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface RoundsPage {
  readonly parts: readonly RoundPart[];
  readonly nextCursor: string | null;
}

export async function listRounds(db: Queryable, wanted: WantedRounds): Promise<RoundsPage> {
  const place = parseCursor(wanted.cursor, 'rounds');
  const before = place === undefined ? undefined : BigInt(place);
  const page = await listOpenedRounds(db, { ...wanted, before });
  return {
    parts: page.rounds.map(({ part }) => part),
    nextCursor: formatCursor('rounds', page.end?.toString()),
  };
}

const openPlace = /^(\d{1,15})-(\d{1,18})-([0-9a-f]{32})$/;

export async function listOpenRounds(
  db: Queryable,
  wanted: WantedRounds & { openedBefore: Date | undefined },
): Promise<RoundsPage> {
  const place = parseCursor(wanted.cursor, 'open_rounds');
  const [, time, account, hash] = (place !== undefined && openPlace.exec(place)) || [];
  if (place !== undefined && hash === undefined) {
    throw fail('invalid_parameter', { errors: { cursor: ['is not a cursor of this list.'] } });
  }
  const after =
    hash === undefined
      ? undefined
      : { openedAt: new Date(Number(time)), account: BigInt(account ?? 0), hash };
  const parts = await listOpenRoundParts(db, { ...wanted, after });
  const last = parts.length === wanted.limit ? parts.at(-1) : undefined;
  const next = last && `${last.openedAt.getTime()}-${last.account}-${last.roundHash}`;
  return { parts, nextCursor: formatCursor('open_rounds', next) };
}
