// Deletes the messages to a person whose data is erased.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { MailKind } from '../message.ts';
import { deleteMailRows } from './store.ts';

/** Deletes the messages of this kind from a tenant to an address, whether they were sent or not. */
export const deleteMailTo = (
  tx: Tx,
  of: { tenantId: bigint; recipient: string; kind: MailKind },
): Promise<void> => deleteMailRows(tx, of);
