// Rows of `ledger_heads`, `accounts` and `journal`; nothing else writes them.
import type { Queryable, Tx } from '@counterfoil/kit/db';
import { type Movement, movementKinds } from './movement.ts';

export async function insertLedgerRows(tx: Tx, packageId: number, genesis: Buffer): Promise<void> {
  await tx.query('insert into ledger_heads (package_id, hash) values ($1, $2)', [
    packageId,
    genesis,
  ]);
  await tx.query(
    'insert into accounts (package_id, id) select $1::int, id from generate_series(1, 3) as id',
    [packageId],
  );
}

export async function insertPlayerAccountRow(tx: Tx, packageId: number): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into accounts (package_id, id) values ($1, nextval('player_account_ids')) returning id`,
    [packageId],
  );
  return (rows[0] as { id: bigint }).id;
}

export interface LedgerHead {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

export async function lockHead(tx: Tx, packageId: number): Promise<LedgerHead> {
  const { rows } = await tx.query<LedgerHead>(
    'select sequence, hash from ledger_heads where package_id = $1 for update',
    [packageId],
  );
  if (!rows[0]) throw new Error(`package ${packageId} has no ledger`);
  return rows[0];
}

export interface AccountRow {
  readonly id: bigint;
  readonly balance: bigint;
  readonly last_sequence: bigint;
}

export async function lockAccounts(
  tx: Tx,
  packageId: number,
  ids: readonly bigint[],
): Promise<Map<bigint, AccountRow>> {
  const { rows } = await tx.query<AccountRow>(
    `select id, balance, last_sequence from accounts
     where package_id = $1 and id = any($2) order by id for update`,
    [packageId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertMovementRow(
  tx: Tx,
  row: { movement: Movement; idHash: string; hash: Buffer },
): Promise<void> {
  const { movement } = row;
  await tx.query(
    `insert into journal (package_id, sequence, previous_sequence, kind, debit_account,
       credit_account, amount, debit_balance, credit_balance, transaction_id, created_at,
       id_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      movement.packageId,
      movement.sequence,
      movement.previousSequence,
      movementKinds[movement.kind],
      movement.debitAccount,
      movement.creditAccount,
      movement.amount,
      movement.debitBalance,
      movement.creditBalance,
      movement.transactionId,
      movement.createdAt,
      row.idHash,
      row.hash,
    ],
  );
}

export async function saveBalances(tx: Tx, movement: Movement, hash: Buffer): Promise<void> {
  await tx.query(
    `update accounts set balance = new.balance, last_sequence = $2, updated_at = $3
     from (values ($4::bigint, $5::bigint), ($6, $7)) as new (id, balance)
     where package_id = $1 and accounts.id = new.id`,
    [
      movement.packageId,
      movement.sequence,
      movement.createdAt,
      movement.debitAccount,
      movement.debitBalance,
      movement.creditAccount,
      movement.creditBalance,
    ],
  );
  await tx.query('update ledger_heads set sequence = $2, hash = $3 where package_id = $1', [
    movement.packageId,
    movement.sequence,
    hash,
  ]);
}

export async function selectBalance(
  db: Queryable,
  packageId: number,
  accountId: bigint,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ balance: bigint }>({
    name: 'select_balance',
    text: 'select balance from accounts where package_id = $1 and id = $2',
    values: [packageId, accountId],
  });
  return rows[0]?.balance;
}
