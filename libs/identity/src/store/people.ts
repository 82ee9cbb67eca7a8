// Reads and writes the rows of `people`.
import type { Language } from '@counterfoil/kit/http/headers';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Person, SecondFactor } from '../members/person.ts';

async function selectPerson(
  db: Queryable,
  condition: string,
  key: string | bigint,
): Promise<Person | undefined> {
  const { rows } = await db.query<Omit<Person, 'secondFactor'> & SecondFactor>(
    `select id, email, name, password_hash as "passwordHash", disabled_at as "disabledAt",
       language,
       totp_sealed as sealed, totp_confirmed_at as "confirmedAt", totp_last_step as "lastStep",
       recovery_code_hashes as "recoveryCodeHashes"
     from people where ${condition}`,
    [key],
  );
  if (!rows[0]) return undefined;
  const { sealed, confirmedAt, lastStep, recoveryCodeHashes, ...person } = rows[0];
  return { ...person, secondFactor: { sealed, confirmedAt, lastStep, recoveryCodeHashes } };
}

export const findPersonByEmail = (db: Queryable, email: string): Promise<Person | undefined> =>
  selectPerson(db, 'email = $1', email);

export const findPerson = (db: Queryable, personId: bigint): Promise<Person | undefined> =>
  selectPerson(db, 'id = $1', personId);

/**
 * Locks the row of a person. Take this lock before every change that depends on the person's password or
 * second factor. While the lock is held, other transactions can still insert rows that refer to the person.
 */
export const lockPerson = (tx: Tx, personId: bigint): Promise<Person | undefined> =>
  selectPerson(tx, 'id = $1 for no key update', personId);

/** Inserts a person. Returns undefined if a person with this e-mail exists. */
export async function insertPerson(
  tx: Tx,
  person: { email: string; name: string; passwordHash: string; at: Date },
): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into people (email, name, password_hash, created_at, password_changed_at)
     values ($1, $2, $3, $4, $4) on conflict (email) do nothing returning id`,
    [person.email, person.name, person.passwordHash, person.at],
  );
  return rows[0]?.id;
}

export async function savePassword(
  tx: Tx,
  change: { personId: bigint; passwordHash: string; at: Date },
): Promise<void> {
  await tx.query('update people set password_hash = $2, password_changed_at = $3 where id = $1', [
    change.personId,
    change.passwordHash,
    change.at,
  ]);
}

export async function saveLanguage(tx: Tx, personId: bigint, language: Language): Promise<void> {
  await tx.query('update people set language = $2 where id = $1 and language is distinct from $2', [
    personId,
    language,
  ]);
}

export async function saveSecondFactor(tx: Tx, personId: bigint, factor: SecondFactor): Promise<void> {
  await tx.query(
    `update people set totp_sealed = $2, totp_confirmed_at = $3, totp_last_step = $4,
       recovery_code_hashes = $5 where id = $1`,
    [personId, factor.sealed, factor.confirmedAt, factor.lastStep, factor.recoveryCodeHashes],
  );
}
