// Reads the stored rows of one package with the checker's own SQL, so that a bug in the service's queries
// cannot hide a violation.
import type { Db } from '@counterfoil/kit/postgres/db';
import {
  type Kind,
  kindOf,
  kinds,
  type Result,
  resultOf,
} from '@counterfoil/wallet-server/ledger/rules/movement';

export interface JournalRow {
  readonly sequence: bigint;
  readonly kind: Kind;
  readonly result: Result;
  readonly id: string;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly amount: bigint;
  readonly debitBalance: bigint;
  readonly creditBalance: bigint;
  /**
   * The id of the bet to which the row refers. The id is empty if the journal lacks this bet, and undefined
   * if the row refers to no bet.
   */
  readonly reference?: string;
}

export interface Facts {
  readonly packageId: number;
  /** The rows of the journal, sorted by sequence. */
  readonly rows: readonly JournalRow[];
  /** The balance of each account. */
  readonly balances: ReadonlyMap<bigint, bigint>;
  /** The account of each player id. */
  readonly accounts: ReadonlyMap<string, bigint>;
  readonly headSequence: bigint;
  readonly overdraftLimit: bigint;
}

type RawRow = Record<
  'sequence' | 'debit_account' | 'credit_account' | 'amount' | 'debit_balance' | 'credit_balance',
  bigint
> & {
  kind: number;
  result: number;
  transaction_id: string;
  id_hash: string;
  reference_hash: string | null;
};

/** Reads all facts of the package in one snapshot. */
export function readFacts(db: Db, packageId: number): Promise<Facts> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const rows = await tx.query<RawRow>(
      `select sequence, kind, result, transaction_id, debit_account, credit_account, amount,
         debit_balance, credit_balance, id_hash::text, reference_hash::text
       from journal where package_id = $1 order by sequence`,
      [packageId],
    );
    const balances = await tx.query<{ id: bigint; balance: bigint }>(
      'select id, balance from accounts where package_id = $1',
      [packageId],
    );
    const players = await tx.query<{ player_id: string; account_id: bigint }>(
      'select player_id, account_id from players where package_id = $1',
      [packageId],
    );
    const heads = await tx.query<{ sequence: bigint; overdraft_limit: bigint }>(
      `select h.sequence, p.overdraft_limit from ledger_heads h join packages p on p.id = h.package_id
       where h.package_id = $1`,
      [packageId],
    );
    return {
      packageId,
      rows: toJournalRows(rows.rows),
      balances: new Map(balances.rows.map((row) => [row.id, row.balance])),
      accounts: new Map(players.rows.map((row) => [row.player_id, row.account_id])),
      headSequence: heads.rows[0]?.sequence ?? 0n,
      overdraftLimit: heads.rows[0]?.overdraft_limit ?? 0n,
    };
  });
}

/**
 * Finds the bet of each reference in this process, not with an SQL join. Directly after a crash, PostgreSQL
 * has no statistics, so it might choose a slow plan for the join.
 */
function toJournalRows(rows: readonly RawRow[]): JournalRow[] {
  const bets = new Map<string, string>();
  for (const row of rows) {
    const isBet = row.kind === kinds.bet || row.kind === kinds.bet_of_bet_win;
    if (isBet) bets.set(row.id_hash, row.transaction_id);
  }
  return rows.map(({ reference_hash: reference, ...row }) => ({
    sequence: row.sequence,
    kind: kindOf(row.kind),
    result: resultOf(row.result),
    id: row.transaction_id,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    amount: row.amount,
    debitBalance: row.debit_balance,
    creditBalance: row.credit_balance,
    ...(reference !== null && { reference: bets.get(reference) ?? '' }),
  }));
}
