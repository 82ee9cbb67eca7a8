// Further names of transactions. A provider may call one transaction by a reference and by an id. One of
// these two texts is hashed as the id of the movement, and the other one as the name of the movement. Names
// are recorded under the house account, so that the write proves that a new name was unknown.
import type { BatchCommand, GameCommand } from './command.ts';
import type { BetState, Decision } from './decision.ts';
import { houseAccount } from './movement.ts';
import type { LedgerView } from './state.ts';

/** Whether a movement has this name. */
const hasName = (view: LedgerView, hash: string): boolean =>
  view.findBet({ hash, account: houseAccount }) !== undefined;

/** Whether a movement has this hash as its id or as its name. */
export const isKnown = (view: LedgerView, hash: string): boolean =>
  view.findMovement(hash) !== undefined || hasName(view, hash);

/**
 * Returns the name of a new leg if another movement already has this name. A repeat is found by its id and
 * needs no name.
 */
export function findKnownName(view: LedgerView, { idHash, nameHash }: GameCommand): string | undefined {
  if (nameHash === undefined || view.findMovement(idHash)) return undefined;
  return hasName(view, nameHash) ? nameHash : undefined;
}

const noNames: readonly string[] = [];

/**
 * Lists the further names by which a rollback names the transaction that it undoes. The list is empty unless
 * the rollback would store a tombstone. If the reference of the last leg is known, the list is empty too, so
 * that all legs undo legs of the same transaction.
 */
export function listUnseenNames(
  view: LedgerView,
  { legs }: BatchCommand,
  leg: GameCommand,
  { bet }: Decision,
): readonly string[] {
  if (leg.type !== 'rollback' || !leg.referenceNames || bet?.status !== 'tombstoned') return noNames;
  const last = legs.at(-1);
  const isFound = last?.type === 'rollback' && view.findMovement(last.referenceHash) !== undefined;
  return isFound ? noNames : leg.referenceNames;
}

/**
 * The records of the names of a stored leg. One record is for the name of the leg. A rollback may have a
 * second record: a tombstone for the first unseen name of the transaction that the rollback undoes.
 */
export function listRecords(
  { nameHash, account }: GameCommand,
  { outcome, bet: known }: Decision,
  [original]: readonly string[],
): readonly Decision[] {
  const states: BetState[] = [];
  if (nameHash !== undefined) states.push({ hash: nameHash, account: houseAccount, status: 'named' });
  if (original !== undefined && original !== known?.hash) {
    states.push({ hash: original, account, status: 'tombstoned' });
  }
  return states.map((bet) => ({ outcome, movements: [], bet }));
}
