// Ties a database to its master key: under another one every sealed secret would be unreadable.
import { createHmac } from 'node:crypto';
import type { Queryable } from './db.ts';
import { PlainError } from './plain-error.ts';
import { equalsInConstantTime, type MasterKey } from './secrets.ts';

const fact = 'master_key';

/** The first key that a database sees is its own from then on; only a mark of it is kept. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  const mark = createHmac('sha256', masterKey.derive('mark')).update(fact).digest();
  await db.query('insert into service_facts (name, value) values ($1, $2) on conflict do nothing', [
    fact,
    mark,
  ]);
  const { rows } = await db.query<{ value: Buffer }>(
    'select value from service_facts where name = $1',
    [fact],
  );
  if (rows[0] && equalsInConstantTime(rows[0].value, mark)) return;
  throw new PlainError('MASTER_KEY is not the key that this database was sealed under.');
}
