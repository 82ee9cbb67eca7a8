// Events that are recorded in the transaction of the change that they report.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import {
  deleteOldOutboxRows,
  insertOutboxRows,
  type OutboxEvent,
  type OutboxRow,
  selectOutboxAfter,
  selectOutboxHead,
  selectOutboxPosition,
  selectOutboxRows,
} from '../store/outbox.ts';
import type { EventStream } from './event.ts';

export type { OutboxEvent } from '../store/outbox.ts';

/**
 * Records events. Make this call the last statement of a transaction: until the commit, all other
 * transactions that record events of the same tenant wait.
 */
export async function recordEvents(
  tx: Tx,
  tenantColumn: string,
  batch: { tenant: bigint; events: readonly OutboxEvent[] },
): Promise<void> {
  if (batch.events.length > 0) await insertOutboxRows(tx, tenantColumn, batch);
}

const idForm = /^evt_([1-9]\d{0,17})_([1-9]\d{0,17})$/;

/**
 * The stream of the events in `webhook_events`. The id of an event contains the tenant, so that events of
 * different tenants have different ids.
 */
export function createOutboxStream(tenantColumn: string, types: readonly string[]): EventStream {
  const present =
    (tenant: bigint) =>
    ({ sequence, ...event }: OutboxRow) => ({
      ...event,
      id: `evt_${tenant}_${sequence}`,
      position: sequence,
    });
  return {
    cursorColumn: 'outbox_cursor',
    headTable: 'webhook_heads',
    types,
    read: async (db, wanted) => {
      const read = async () => {
        const rows = await selectOutboxAfter(db, tenantColumn, wanted);
        return rows.map(present(wanted.tenant));
      };
      const events = await read();
      if (events.length > 0) return { events, upTo: events.at(-1)?.position ?? wanted.after };
      // No event was found. Old events may have been deleted, so the position may move to the head. An event
      // may have been committed after the first read. So the head is read first, and then the events are read
      // again.
      const head = await selectOutboxHead(db, tenantColumn, wanted.tenant);
      const again = await read();
      return { events: again, upTo: again.at(-1)?.position ?? head };
    },
    head: (db, tenant) => selectOutboxHead(db, tenantColumn, tenant),
    find: async (db, { tenant, ids }) => {
      const sequences = ids.flatMap((id) => {
        const [, owner = '', sequence = ''] = idForm.exec(id) ?? [];
        return owner === String(tenant) ? [BigInt(sequence)] : [];
      });
      if (sequences.length === 0) return [];
      const rows = await selectOutboxRows(db, tenantColumn, { tenant, sequences });
      return rows.map(present(tenant));
    },
    positionBefore: (db, wanted) => selectOutboxPosition(db, tenantColumn, wanted),
  };
}

/**
 * Deletes the events before a time. Pass a time that the log of deliveries no longer covers. Each statement
 * deletes the events of at most one hour.
 */
export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  for (let slice = 0; slice < 1000; slice++) {
    if (!(await deleteOldOutboxRows(db, before))) return;
  }
}
