// Marks a database as the demo's, and keeps the demo's credentials sealed beside its data.

import { type MasterKey, seal, unseal } from '../crypto/secrets.ts';
import { PlainError } from '../process/plain-error.ts';
import type { Queryable, Tx } from './db.ts';

const fact = 'demo';

/** Written in the transaction that makes the demo's data: there is never one without the other. */
export async function markAsDemo(tx: Tx, masterKey: MasterKey, credentials: object): Promise<void> {
  const sealed = seal(masterKey, { plain: JSON.stringify(credentials), context: fact });
  await tx.query('insert into service_facts (name, value) values ($1, $2)', [fact, sealed]);
}

export async function isDemo(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select 1 from service_facts where name = $1', [fact]);
  return rows.length > 0;
}

export async function findDemoCredentials(db: Queryable, masterKey: MasterKey): Promise<unknown> {
  const { rows } = await db.query<{ value: Buffer }>(
    'select value from service_facts where name = $1',
    [fact],
  );
  const sealed = rows[0]?.value;
  if (!sealed) return undefined;
  try {
    return JSON.parse(unseal(masterKey, { sealed, context: fact }));
  } catch {
    throw new PlainError(
      'The demo data was sealed under another master key; start with that key or with an empty data folder.',
    );
  }
}
