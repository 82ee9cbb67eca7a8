// The table of people: rows to persons and back.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Person, SecondFactor } from '../members/person.ts';

interface PersonRow {
  id: bigint;
  email: string;
  name: string;
  password_hash: string | null;
  totp_sealed: Buffer | null;
  totp_confirmed_at: Date | null;
  totp_last_step: bigint | null;
  recovery_code_hashes: Buffer[];
  disabled_at: Date | null;
}

const columns = `id, email, name, password_hash, totp_sealed, totp_confirmed_at, totp_last_step,
  recovery_code_hashes, disabled_at`;

function toPerson(row: PersonRow | undefined): Person | undefined {
  if (!row) return undefined;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    secondFactor: {
      sealed: row.totp_sealed,
      confirmedAt: row.totp_confirmed_at,
      lastStep: row.totp_last_step,
      recoveryCodeHashes: row.recovery_code_hashes,
    },
    disabledAt: row.disabled_at,
  };
}

export async function findPersonByEmail(db: Queryable, email: string): Promise<Person | undefined> {
  const text = `select ${columns} from people where email = $1`;
  const { rows } = await db.query<PersonRow>(text, [email]);
  return toPerson(rows[0]);
}

export async function findPerson(db: Queryable, personId: bigint): Promise<Person | undefined> {
  const text = `select ${columns} from people where id = $1`;
  const { rows } = await db.query<PersonRow>(text, [personId]);
  return toPerson(rows[0]);
}

/**
 * Decisions that depend on a person's password or second factor hold this lock. It is not the strongest
 * one, so that rows of other tables can refer to the person meanwhile.
 */
export async function lockPerson(tx: Tx, personId: bigint): Promise<Person | undefined> {
  const text = `select ${columns} from people where id = $1 for no key update`;
  const { rows } = await tx.query<PersonRow>(text, [personId]);
  return toPerson(rows[0]);
}

/** Undefined when the e-mail is taken. */
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

export async function saveSecondFactor(
  tx: Tx,
  personId: bigint,
  factor: SecondFactor,
): Promise<void> {
  await tx.query(
    `update people set totp_sealed = $2, totp_confirmed_at = $3, totp_last_step = $4,
       recovery_code_hashes = $5 where id = $1`,
    [personId, factor.sealed, factor.confirmedAt, factor.lastStep, factor.recoveryCodeHashes],
  );
}

export async function saveDisabled(tx: Tx, personId: bigint, at: Date | null): Promise<void> {
  await tx.query('update people set disabled_at = $2 where id = $1', [personId, at]);
}
