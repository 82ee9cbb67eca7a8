// Reads the stored rows of a package's ledger and checks their hash chain.
import type { Db } from '@counterfoil/kit/postgres/db';
import { chainMovement, makeGenesisHash } from '../../../src/ledger/rules/chain.ts';
import { kindOf, type Movement, resultOf } from '../../../src/ledger/rules/movement.ts';

interface Row {
  [column: string]: unknown;
}

const hex = (value: unknown) => (value === null ? undefined : String(value).replaceAll('-', ''));

export interface Books {
  readonly rows: Movement[];
  readonly accounts: Map<bigint, { balance: bigint; lastSequence: bigint }>;
  readonly rounds: { account: bigint; hash: string; status: string }[];
  /** Sequences of the rows whose stored hash does not match their content. */
  readonly brokenLinks: bigint[];
  readonly head: { sequence: bigint; isLastHash: boolean };
}

export async function readBooks(db: Db, packageId: number): Promise<Books> {
  const journal = await db.query<Row>('select * from journal where package_id = $1 order by sequence', [
    packageId,
  ]);
  const rows = journal.rows.map((row) => toMovement(row));
  const brokenLinks: bigint[] = [];
  let hash = makeGenesisHash(packageId);
  for (const [i, movement] of rows.entries()) {
    hash = chainMovement(hash, movement);
    if (!hash.equals(journal.rows[i]?.hash as Buffer)) brokenLinks.push(movement.sequence);
  }
  const held = await db.query<{ id: bigint; balance: bigint; last_sequence: bigint }>(
    'select id, balance, last_sequence from accounts where package_id = $1',
    [packageId],
  );
  const accounts = held.rows.map(
    (row) => [row.id, { balance: row.balance, lastSequence: row.last_sequence }] as const,
  );
  const heads = await db.query<{ sequence: bigint; hash: Buffer }>(
    'select sequence, hash from ledger_heads where package_id = $1',
    [packageId],
  );
  const head = heads.rows[0];
  const rounds = await db.query<{ account_id: bigint; round_hash: string; state: number }>(
    'select account_id, round_hash, state from rounds where package_id = $1',
    [packageId],
  );
  return {
    rows,
    rounds: rounds.rows.map((row) => ({
      account: row.account_id,
      hash: hex(row.round_hash) ?? '',
      status: ['open', 'closed', 'void'][row.state] ?? `${row.state}`,
    })),
    accounts: new Map(accounts),
    brokenLinks,
    head: { sequence: head?.sequence ?? -1n, isLastHash: head?.hash.equals(hash) ?? false },
  };
}

function toMovement(row: Row): Movement {
  return {
    packageId: row.package_id as number,
    sequence: row.sequence as bigint,
    previousSequence: row.previous_sequence as bigint,
    kind: kindOf(row.kind as number),
    result: resultOf(row.result as number),
    debitAccount: row.debit_account as bigint,
    creditAccount: row.credit_account as bigint,
    amount: row.amount as bigint,
    debitBalance: row.debit_balance as bigint,
    creditBalance: row.credit_balance as bigint,
    idHash: hex(row.id_hash) ?? '',
    transactionId: row.transaction_id as string,
    createdAtMs: (row.created_at as Date).getTime(),
    noteHash: hex(row.note_hash),
    referenceHash: hex(row.reference_hash),
    roundHash: hex(row.round_hash),
    roundPrevious: (row.round_previous as bigint | null) ?? undefined,
    gameId: (row.game_id as string | null) ?? undefined,
    shortfall: (row.shortfall as bigint | null) ?? undefined,
  };
}
