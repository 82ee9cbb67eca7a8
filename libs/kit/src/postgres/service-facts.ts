// Facts about a database: whether it contains the demo's data, and a digest of its master key.

import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey, seal, unseal } from '../crypto/secrets.ts';
import { PlainError } from '../process/plain-error.ts';
import type { Queryable, Tx } from './db.ts';
import { queryRow } from './rows.ts';

const demoFact = 'demo';

/**
 * Marks the database as a database of the demo, and stores the demo's credentials. Credentials of an earlier
 * mark are replaced. Call this function in the transaction that inserts the demo's data, so that the mark and
 * the data exist only together.
 */
export async function markAsDemo(tx: Tx, masterKey: MasterKey, credentials: object): Promise<void> {
  const sealed = seal(masterKey, { plain: JSON.stringify(credentials), context: demoFact });
  await tx.query(
    `insert into service_facts (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [demoFact, sealed],
  );
}

async function findFact(db: Queryable, name: string): Promise<Buffer | undefined> {
  const text = 'select value from service_facts where name = $1';
  return (await queryRow<{ value: Buffer }>(db, text, [name]))?.value;
}

export const isDemo = async (db: Queryable): Promise<boolean> => (await findFact(db, demoFact)) !== undefined;

export async function findDemoCredentials(db: Queryable, masterKey: MasterKey): Promise<unknown> {
  const sealed = await findFact(db, demoFact);
  if (!sealed) return undefined;
  try {
    return JSON.parse(unseal(masterKey, { sealed, context: demoFact }));
  } catch {
    throw new PlainError(
      'The demo data was sealed under another master key; start with that key or with an empty data folder.',
    );
  }
}

const masterKeyFact = 'master_key';

const markOf = (masterKey: MasterKey): Buffer =>
  createHmac('sha256', masterKey.derive('mark')).update(masterKeyFact).digest();

/**
 * Whether this is the master key of the database. The result is undefined if the database has no master key
 * yet.
 */
export async function isSealedUnder(db: Queryable, masterKey: MasterKey): Promise<boolean | undefined> {
  const mark = await findFact(db, masterKeyFact);
  return mark && equalsInConstantTime(mark, markOf(masterKey));
}

/**
 * Throws if this is not the master key of the database. The first master key that is used with a database
 * becomes its key. Only a digest of the key is stored.
 */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  await db.query('insert into service_facts (name, value) values ($1, $2) on conflict do nothing', [
    masterKeyFact,
    markOf(masterKey),
  ]);
  if (await isSealedUnder(db, masterKey)) return;
  throw new PlainError('MASTER_KEY is not the key that this database was sealed under.');
}
