// Facts about a database: whether it contains the demo's data, and a digest of its master key.

import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey, seal, unseal } from '../crypto/secrets.ts';
import { PlainError } from '../process/plain-error.ts';
import type { Queryable, Tx } from './db.ts';

const demoFact = 'demo';

/** Call it in the transaction that inserts the demo's data, so that the data and this mark exist together. */
export async function markAsDemo(tx: Tx, masterKey: MasterKey, credentials: object): Promise<void> {
  const sealed = seal(masterKey, { plain: JSON.stringify(credentials), context: demoFact });
  await tx.query('insert into service_facts (name, value) values ($1, $2)', [demoFact, sealed]);
}

export async function isDemo(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select 1 from service_facts where name = $1', [demoFact]);
  return rows.length > 0;
}

export async function findDemoCredentials(db: Queryable, masterKey: MasterKey): Promise<unknown> {
  const { rows } = await db.query<{ value: Buffer }>('select value from service_facts where name = $1', [
    demoFact,
  ]);
  const sealed = rows[0]?.value;
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

/** Whether this is the master key of the database; undefined if the database has no key yet. */
export async function isSealedUnder(db: Queryable, masterKey: MasterKey): Promise<boolean | undefined> {
  const {
    rows: [found],
  } = await db.query<{ value: Buffer }>('select value from service_facts where name = $1', [masterKeyFact]);
  return found && equalsInConstantTime(found.value, markOf(masterKey));
}

/** The first key that is used with a database becomes its key. Only a digest of the key is stored. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  await db.query('insert into service_facts (name, value) values ($1, $2) on conflict do nothing', [
    masterKeyFact,
    markOf(masterKey),
  ]);
  if (await isSealedUnder(db, masterKey)) return;
  throw new PlainError('MASTER_KEY is not the key that this database was sealed under.');
}
