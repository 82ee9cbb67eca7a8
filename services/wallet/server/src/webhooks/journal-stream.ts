// The journal of a package as a stream of events. Events about movements need no outbox, because the journal
// contains them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { EventStream, StreamEvent, WebhookEvent } from '@counterfoil/webhooks/outbox/event';
import { nameConnections, nameRoundConnections } from '../connections/name-connections.ts';
import { findHead, listJournalPage, listJournalRows } from '../ledger/queries.ts';
import { listClosedRounds, listRoundParts, nameRounds } from '../ledger/round-queries.ts';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { nameAccounts } from '../players/queries.ts';
import { movementTypes } from './event-schemas.ts';
import { findBalanceEvent, makeRoundEvent, type Names } from './movement-event.ts';

const movementForm = /^mov_([1-9]\d{0,9})_([1-9]\d{0,17})$/;
const roundForm = /^rnd_([1-9]\d{0,9})_([0-9a-f]{32})_([1-9]\d{0,17})$/;

export const journalStream: EventStream = {
  cursorColumn: 'journal_cursor',
  headTable: 'ledger_heads',
  types: Object.keys(movementTypes),
  read: async (db, { tenant, after, limit }) => {
    const packageId = Number(tenant);
    const rows = await listJournalPage(db, { packageId, after, limit });
    const movements = rows.map((row) => row.movement);
    const events = await makeEvents(db, packageId, movements);
    return { events, upTo: movements.at(-1)?.sequence ?? after };
  },
  head: (db, tenant) => findHead(db, Number(tenant)),
  find: async (db, { tenant, ids }) => {
    const packageId = Number(tenant);
    const own = (form: RegExp) =>
      ids.flatMap((id) => {
        const [, owner, ...rest] = form.exec(id) ?? [];
        return owner === String(packageId) ? [rest] : [];
      });
    const movements = own(movementForm).map(([sequence = '0']) => BigInt(sequence));
    const rounds = own(roundForm).map(([hash = '', account = '0']) => ({ hash, account: BigInt(account) }));
    return [...(await findMovements(db, packageId, movements)), ...(await findRounds(db, packageId, rounds))];
  },
  positionBefore: (db, { tenant, since }) => searchTime(db, Number(tenant), since),
};

/**
 * Makes the events of movements. The event of a closed round follows the event of the movement that closed
 * the round.
 */
async function makeEvents(
  db: Queryable,
  packageId: number,
  movements: readonly Movement[],
): Promise<StreamEvent[]> {
  if (movements.length === 0) return [];
  const names = await findNames(db, packageId, movements);
  const closed = await nameRoundConnections(db, packageId, await listClosedRounds(db, packageId, movements));
  return movements.flatMap((movement) => {
    const { sequence: position } = movement;
    const balance = findBalanceEvent(movement, names);
    const rounds = closed
      .filter((round) => round.closedBy === position)
      .map((round) => makeRoundEvent(packageId, round, names));
    return [...(balance ? [balance] : []), ...rounds].map((event) => ({ ...event, position }));
  });
}

async function findNames(db: Queryable, packageId: number, movements: readonly Movement[]): Promise<Names> {
  const unit = await getManagedPackage(db, packageId);
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  const rounds = await nameRounds(db, packageId, movements);
  const connections = await nameConnections(db, packageId, movements, rounds);
  return { unit, players, rounds, connections };
}

async function findMovements(
  db: Queryable,
  packageId: number,
  sequences: readonly bigint[],
): Promise<WebhookEvent[]> {
  const rows = await listJournalRows(db, packageId, sequences);
  if (rows.length === 0) return [];
  const movements = rows.map((row) => row.movement);
  const names = await findNames(db, packageId, movements);
  return movements.flatMap((movement) => findBalanceEvent(movement, names) ?? []);
}

async function findRounds(
  db: Queryable,
  packageId: number,
  wanted: readonly { hash: string; account: bigint }[],
): Promise<WebhookEvent[]> {
  if (wanted.length === 0) return [];
  const unit = await getManagedPackage(db, packageId);
  const accounts = wanted.map((each) => each.account);
  const players = await nameAccounts(db, packageId, accounts);
  const events: WebhookEvent[] = [];
  for (const each of wanted) {
    const parts = await listRoundParts(db, {
      packageId,
      hashes: [each.hash],
      accounts: [each.account],
      limit: 1,
    });
    const closed = await nameRoundConnections(
      db,
      packageId,
      parts.filter((part) => part.status === 'closed'),
    );
    events.push(...closed.map((part) => makeRoundEvent(packageId, part, { unit, players })));
  }
  return events;
}

/**
 * Finds a sequence by time with a binary search, because the journal has no index on times. The search relies
 * on sequences without gaps.
 */
async function searchTime(db: Queryable, packageId: number, since: Date): Promise<bigint> {
  let low = 0n;
  let high = await findHead(db, packageId);
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const [row] = await listJournalRows(db, packageId, [middle]);
    if (row && row.movement.createdAtMs < since.getTime()) low = middle;
    else high = middle - 1n;
  }
  return low;
}
