// What other slices may know of rounds.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { getSubject, type Movement } from './rules/movement.ts';
import {
  type OpenRoundsWanted,
  type RoundPart,
  type ScannedRounds,
  scanRounds,
  selectClosedRounds,
  selectOpenRounds,
  selectRoundIds,
  selectRoundMovements,
  selectRoundParts,
} from './store/round-store.ts';

export type { RoundPart } from './store/round-store.ts';

export const listRoundParts = (
  db: Queryable,
  wanted: { packageId: number; hash: string; account: bigint | undefined; limit: number },
): Promise<RoundPart[]> => selectRoundParts(db, wanted);

export const listRoundMovements = (
  db: Queryable,
  wanted: { packageId: number; part: RoundPart; limit: number },
): Promise<Movement[]> => selectRoundMovements(db, wanted);

export const listOpenRoundParts = (db: Queryable, wanted: OpenRoundsWanted): Promise<RoundPart[]> =>
  selectOpenRounds(db, wanted);

/** Of the rounds that these movements belong to. */
export async function listClosedRounds(
  db: Queryable,
  packageId: number,
  movements: readonly Movement[],
): Promise<(RoundPart & { closedBy: bigint })[]> {
  const wanted = new Map<string, { hash: string; account: bigint }>();
  for (const movement of movements) {
    const { roundHash: hash } = movement;
    const { account } = getSubject(movement);
    if (hash !== undefined) wanted.set(`${hash} ${account}`, { hash, account });
  }
  return wanted.size === 0 ? [] : selectClosedRounds(db, packageId, [...wanted.values()]);
}

/** How much of the journal one page may look through. */
const maxScannedRows = 5000;

export const listOpenedRounds = (
  db: Queryable,
  wanted: {
    packageId: number;
    account: bigint | undefined;
    before: bigint | undefined;
    limit: number;
  },
): Promise<ScannedRounds> => scanRounds(db, { ...wanted, rows: maxScannedRows });

/** The rounds that movements belong to, by the hashes that these name. */
export async function nameRounds(
  db: Queryable,
  packageId: number,
  movements: readonly { roundHash: string | undefined }[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Set<string>();
  for (const { roundHash } of movements) if (roundHash !== undefined) hashes.add(roundHash);
  return hashes.size === 0 ? new Map() : selectRoundIds(db, packageId, [...hashes]);
}
