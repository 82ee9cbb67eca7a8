// What the database holds of one package, as it is, with no rule of the service in between.
import type { Db } from '@counterfoil/kit/db';
import {
  type Kind,
  kindOf,
  kinds,
  type Result,
  resultOf,
} from '@counterfoil/wallet-server/ledger/movement';

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
  /** The id of the bet that it refers to; empty where the journal holds no such bet. */
  readonly reference?: string;
}

export interface Facts {
  readonly packageId: number;
  /** In the order of their sequences. */
  readonly rows: readonly JournalRow[];
  /** By account. */
  readonly balances: ReadonlyMap<bigint, bigint>;
  /** By player id. */
  readonly accounts: ReadonlyMap<string, bigint>;
  readonly headSequence: bigint;
  readonly overdraftLimit: bigint;
}

type RawRow = Record<
  'sequence' | 'debit_account' | 'credit_account' | 'amount' | 'debit_balance' | 'credit_balance',
  bigint
> & { kind: number; result: number; transaction_id: string; reference: string | null };

/** All of it as of one moment. */
export function readFacts(db: Db, packageId: number): Promise<Facts> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const rows = await tx.query<RawRow>(
      `select j.sequence, j.kind, j.result, j.transaction_id, j.debit_account, j.credit_account,
         j.amount, j.debit_balance, j.credit_balance,
         case when j.reference_hash is not null then coalesce(b.transaction_id, '') end as reference
       from journal j left join journal b
         on b.package_id = j.package_id and b.id_hash = j.reference_hash and b.kind = any($2)
       where j.package_id = $1 order by j.sequence`,
      [packageId, [kinds.bet, kinds.bet_of_bet_win]],
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
      rows: rows.rows.map(toJournalRow),
      balances: new Map(balances.rows.map((row) => [row.id, row.balance])),
      accounts: new Map(players.rows.map((row) => [row.player_id, row.account_id])),
      headSequence: heads.rows[0]?.sequence ?? 0n,
      overdraftLimit: heads.rows[0]?.overdraft_limit ?? 0n,
    };
  });
}

const toJournalRow = (row: RawRow): JournalRow => ({
  sequence: row.sequence,
  kind: kindOf(row.kind),
  result: resultOf(row.result),
  id: row.transaction_id,
  debitAccount: row.debit_account,
  creditAccount: row.credit_account,
  amount: row.amount,
  debitBalance: row.debit_balance,
  creditBalance: row.credit_balance,
  ...(row.reference !== null && { reference: row.reference }),
});
