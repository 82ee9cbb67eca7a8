// Reads one round with its events, or a page of rounds.
import { findPageEnd } from '@counterfoil/kit/http/parameters';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashRoundId } from '../callbacks/to-command.ts';
import { listConnections } from '../connections/queries.ts';
import { hashRoundOf } from '../connections/to-batch.ts';
import { fail } from '../errors.ts';
import {
  listOpenedRounds,
  listOpenRoundParts,
  listRoundMovements,
  listRoundParts,
} from '../ledger/round-queries.ts';
import { nameAccounts } from '../players/queries.ts';
import { formatCursor, parseCursorParts, parseNumberCursor } from '../wire/paging.ts';

/**
 * A round of a table game may have many players. If it has more than this number, the caller must name a
 * player.
 */
const maxParts = 50;

const maxEvents = 1000;

export async function getRound(
  db: Queryable,
  wanted: { packageId: number; roundId: string; account: bigint | undefined },
) {
  const { packageId, roundId, account } = wanted;
  // Each provider has its own space of round ids.
  const connections = await listConnections(db, packageId);
  const hashes = [hashRoundId(roundId), ...connections.map(({ id }) => hashRoundOf(id, roundId))];
  const found = await listRoundParts(db, { packageId, hashes, account, limit: maxParts + 1 });
  if (found.length === 0) throw fail('round_not_found');
  const parts = found.slice(0, maxParts);
  const lists = [];
  for (const part of parts) {
    lists.push(await listRoundMovements(db, { packageId, part, limit: maxEvents + 1 }));
  }
  const all = lists.flat().sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  const truncated = found.length > maxParts || all.length > maxEvents;
  const accounts = parts.map((part) => part.account);
  const players = await nameAccounts(db, packageId, accounts);
  // The newest events are retained, because the end of a round shows its result.
  return { roundId, parts, players, movements: all.slice(-maxEvents), truncated };
}

interface WantedRounds {
  readonly packageId: number;
  readonly account: bigint | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export async function listRounds(db: Queryable, wanted: WantedRounds) {
  const before = parseNumberCursor(wanted.cursor, 'rounds');
  const page = await listOpenedRounds(db, { ...wanted, before });
  return { parts: page.rounds.map(({ part }) => part), nextCursor: formatCursor('rounds', page.end) };
}

const openPosition = /^(\d{1,15})-(\d{1,18})-([0-9a-f]{32})$/;

export async function listOpenRounds(
  db: Queryable,
  wanted: WantedRounds & { openedBefore: Date | undefined },
) {
  const [time, account = '0', hash] = parseCursorParts(wanted.cursor, 'open_rounds', openPosition);
  const after = hash ? { openedAt: new Date(Number(time)), account: BigInt(account), hash } : undefined;
  const parts = await listOpenRoundParts(db, { ...wanted, after });
  const last = findPageEnd(wanted.limit, parts);
  const next = last && `${last.openedAt.getTime()}-${last.account}-${last.hash}`;
  return { parts, nextCursor: formatCursor('open_rounds', next) };
}
