// Events written in the transaction of what they tell of: together, or not at all.
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

/** To be the last thing that a transaction does: others of the tenant queue behind it to its end. */
export async function recordEvents(
  tx: Tx,
  tenantColumn: string,
  batch: { tenant: bigint; events: readonly OutboxEvent[] },
): Promise<void> {
  if (batch.events.length > 0) await insertOutboxRows(tx, tenantColumn, batch);
}

const idForm = /^evt_([1-9]\d{0,17})_([1-9]\d{0,17})$/;

/** The stream of those events; their ids name the tenant, so that no two tenants share one. */
export function createOutboxStream(tenantColumn: string, types: readonly string[]): EventStream {
  const present = (tenant: bigint) => (row: OutboxRow) => ({
    id: `evt_${tenant}_${row.sequence}`,
    position: row.sequence,
    type: row.type,
    subject: row.subject,
    at: row.at,
    data: row.data,
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
      // Nothing up to the head may also mean that it is no longer kept; the head is read first.
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

/** What is older than the log of deliveries is not sent again, and not kept. */
export async function forgetOldEvents(db: Db, before: Date): Promise<void> {
  for (let slice = 0; slice < 1000; slice++) {
    if (!(await deleteOldOutboxRows(db, before))) return;
  }
}
