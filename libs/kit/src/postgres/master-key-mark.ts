// Ties a database to its master key: under another one every sealed secret would be unreadable.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '../crypto/secrets.ts';
import { PlainError } from '../process/plain-error.ts';
import type { Queryable } from './db.ts';

const fact = 'master_key';

const markOf = (masterKey: MasterKey): Buffer =>
  createHmac('sha256', masterKey.derive('mark')).update(fact).digest();

/** Only looks: whether the database is sealed under this key, undefined where under none yet. */
export async function isSealedUnder(
  db: Queryable,
  masterKey: MasterKey,
): Promise<boolean | undefined> {
  const {
    rows: [found],
  } = await db.query<{ value: Buffer }>('select value from service_facts where name = $1', [fact]);
  return found && equalsInConstantTime(found.value, markOf(masterKey));
}

/** The first key that a database sees is its own from then on; only a mark of it is kept. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  await db.query('insert into service_facts (name, value) values ($1, $2) on conflict do nothing', [
    fact,
    markOf(masterKey),
  ]);
  if (await isSealedUnder(db, masterKey)) return;
  throw new PlainError('MASTER_KEY is not the key that this database was sealed under.');
}
