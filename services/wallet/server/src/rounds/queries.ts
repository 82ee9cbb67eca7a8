// Reads one round with its events, or a page of rounds.
import { findPageEnd } from '@counterfoil/kit/http/parameters';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashRoundId } from '../callbacks/to-command.ts';
import type { NamedConnection } from '../connections/connection.ts';
import { listNamedConnections } from '../connections/queries.ts';
import { hashRoundOf } from '../connections/to-batch.ts';
import { fail } from '../errors.ts';
import {
  listOpenedRounds,
  listOpenRoundParts,
  listRoundMovements,
  listRoundParts,
  type RoundPart,
} from '../ledger/round-queries.ts';
import { accountsOfPlayer } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import { formatCursor, formatMergeCursor, parseCursorParts, parseMergeCursor } from '../wire/paging.ts';

/**
 * The maximum number of parts that are shown. A round of a table game may have many players. If the round has
 * more parts, the answer is marked as truncated, and the caller can name a player.
 */
const maxParts = 50;

const maxEvents = 1000;

/**
 * A part of a round, with the connection through which the round arrived. The connection is undefined for the
 * wallet's own protocol.
 */
export interface PlayedPart extends RoundPart {
  readonly connection?: NamedConnection | undefined;
}

export async function getRound(
  db: Queryable,
  wanted: {
    packageId: number;
    roundId: string;
    /** The connection whose rounds are listed; undefined for all rounds. */
    connectionId: string | undefined;
    account: bigint | undefined;
  },
) {
  const { packageId, roundId, connectionId, account } = wanted;
  // Each provider has its own space of round ids, so a round id may have several hashes.
  const connections = await listNamedConnections(db, packageId);
  const byHash = new Map(connections.map((each) => [hashRoundOf(each.id, roundId), each]));
  const hashes = [hashRoundId(roundId), ...byHash.keys()].filter(
    (hash) => connectionId === undefined || byHash.get(hash)?.id === connectionId,
  );
  const limit = maxParts + 1;
  const rows = await listRoundParts(db, { packageId, hashes, accounts: accountsOf(account), limit });
  const found = rows.map((part): PlayedPart => ({ ...part, connection: byHash.get(part.hash) }));
  if (found.length === 0) throw fail('round_not_found');
  const parts = found.slice(0, maxParts);
  const lists = [];
  for (const part of parts) {
    const movements = await listRoundMovements(db, { packageId, part, limit: maxEvents + 1 });
    lists.push(movements.map((movement) => ({ movement, part })));
  }
  const all = lists.flat().sort((a, b) => (a.movement.sequence < b.movement.sequence ? -1 : 1));
  const truncated = found.length > maxParts || all.length > maxEvents;
  const accounts = parts.map((part) => part.account);
  const players = await nameAccounts(db, packageId, accounts);
  // The newest events are retained, because the end of a round shows its result.
  return { roundId, parts, players, events: all.slice(-maxEvents), truncated };
}

interface WantedRounds {
  readonly packageId: number;
  readonly account: bigint | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The player's cash and promo account. A round has a separate part for each of the two accounts. */
const accountsOf = (account: bigint | undefined): readonly bigint[] | undefined =>
  account === undefined ? undefined : accountsOfPlayer(account);

export async function listRounds(db: Queryable, wanted: WantedRounds) {
  const before = parseMergeCursor(wanted.cursor, 'rounds');
  const page = await listOpenedRounds(db, { ...wanted, accounts: accountsOf(wanted.account), before });
  return { parts: page.rounds.map(({ part }) => part), nextCursor: formatMergeCursor('rounds', page.end) };
}

const openPosition = /^(\d{1,15})-(\d{1,18})-([0-9a-f]{32})$/;

export async function listOpenRounds(
  db: Queryable,
  wanted: WantedRounds & { openedBefore: Date | undefined },
) {
  const [time, account = '0', hash] = parseCursorParts(wanted.cursor, 'open_rounds', openPosition);
  const after = hash ? { openedAt: new Date(Number(time)), account: BigInt(account), hash } : undefined;
  const parts = await listOpenRoundParts(db, { ...wanted, accounts: accountsOf(wanted.account), after });
  const last = findPageEnd(wanted.limit, parts);
  const next = last && `${last.openedAt.getTime()}-${last.account}-${last.hash}`;
  return { parts, nextCursor: formatCursor('open_rounds', next) };
}
