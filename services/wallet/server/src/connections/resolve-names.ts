// Finds transactions by their further names: for look-ups, and for calls that name a stored transaction by
// its other name.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { findMovementsByName, listMovementsByHash } from '../ledger/queries.ts';
import type { BatchCommand, GameCommand } from '../ledger/rules/command.ts';
import type { BatchOutcome } from '../ledger/rules/decision.ts';
import { cashAccountOf, getSubject, type Movement } from '../ledger/rules/movement.ts';
import type { Leg, PlayCall } from './dialects/dialect.ts';

type KnownName = Extract<BatchOutcome, { kind: 'name_known' }>;

/** The batch to submit instead, or the field in which the call differs from the stored transaction. */
export type Resolved = { readonly command: BatchCommand } | { readonly conflict: string };

/**
 * Replaces a known name by the movement that has the name. A leg without another name becomes a repeat of the
 * movement, and a rollback refers to the movement. A name never changes, so the ledger decides the same for
 * the new command, whatever happened after the first decision.
 */
export function resolveName(
  call: PlayCall,
  command: BatchCommand,
  { leg: index, hash }: KnownName,
  movement: Movement,
): Resolved {
  const sent = call.legs[index];
  const legs = command.legs.map((leg, i) => (i === index ? resolveLeg(sent, leg, hash, movement) : leg));
  const conflict = legs.find((leg) => typeof leg === 'string');
  if (conflict !== undefined) return { conflict };
  return { command: { ...command, legs: legs as readonly GameCommand[] } };
}

function resolveLeg(
  sent: Leg | undefined,
  leg: GameCommand,
  hash: string,
  movement: Movement,
): GameCommand | string {
  const { idHash } = movement;
  if (leg.type === 'rollback' && hash !== leg.nameHash) {
    return { ...leg, referenceHash: idHash, referenceAsWinHash: idHash };
  }
  const isKnownByName = sent !== undefined && sent.type !== 'end_round' && sent.isKnownByName;
  if (isKnownByName) return { ...leg, idHash, nameHash: undefined };
  return findDifference(leg, movement) ?? { ...leg, nameHash: undefined };
}

/**
 * A bet has its id alone. Several wins of a round may have one id, because their references tell them apart.
 */
function findDifference(leg: GameCommand, movement: Movement): string | undefined {
  if (leg.type === 'bet') return 'transaction_id';
  if (cashAccountOf(getSubject(movement).account) !== cashAccountOf(leg.account)) return 'player_id';
  if (movement.roundHash !== leg.round?.hash) return 'round_id';
  return movement.gameId === leg.gameId ? undefined : 'game_id';
}

/** Reads the movement that has the hash as its name or as its id; undefined if there is none. */
export const findNamedMovement = async (
  db: Queryable,
  packageId: number,
  hash: string,
): Promise<Movement | undefined> => (await listNamedMovements(db, packageId, [hash]))[0]?.movement;

interface NamedMovement {
  /** The hash of the id or of the name by which the movement was found. */
  readonly hash: string;
  readonly movement: Movement;
}

/** Lists the movements that have one of the hashes as their id or as their name, oldest first. */
export async function listNamedMovements(
  db: Queryable,
  packageId: number,
  hashes: readonly string[],
): Promise<NamedMovement[]> {
  const [byId, byName] = await Promise.all([
    listMovementsByHash(db, packageId, hashes),
    findMovementsByName(db, packageId, hashes),
  ]);
  const found = new Map<bigint, NamedMovement>();
  for (const [hash, movement] of byName) found.set(movement.sequence, { hash, movement });
  for (const movement of byId) found.set(movement.sequence, { hash: movement.idHash, movement });
  return [...found.values()].sort((a, b) => (a.movement.sequence < b.movement.sequence ? -1 : 1));
}
