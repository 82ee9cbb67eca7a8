// One round with every event of it, of all its players or of one.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashRoundId } from '../callbacks/to-command.ts';
import { fail } from '../errors.ts';
import { listRoundMovements, listRoundParts } from '../ledger/round-queries.ts';
import type { Round } from './round.ts';

/** A table's round may have many players; beyond these, one must be named. */
const maxParts = 50;
const maxEvents = 1000;

export async function getRound(
  db: Queryable,
  wanted: { packageId: number; roundId: string; account: bigint | undefined },
): Promise<Round> {
  const { packageId, roundId, account } = wanted;
  const hash = hashRoundId(roundId);
  const found = await listRoundParts(db, { packageId, hash, account, limit: maxParts + 1 });
  if (found.length === 0) throw fail('round_not_found');
  const parts = found.slice(0, maxParts);
  const lists = [];
  for (const part of parts) {
    lists.push(await listRoundMovements(db, { packageId, part, limit: maxEvents + 1 }));
  }
  const all = lists.flat().sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
  const truncated = found.length > maxParts || all.length > maxEvents;
  // The newest stay: what a round came to is told by its end.
  return { roundId, parts, movements: all.slice(-maxEvents), truncated };
}
