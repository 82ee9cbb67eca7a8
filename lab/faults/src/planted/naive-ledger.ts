// A ledger with one transaction per movement: correct, or with one planted bug.
import { createHash } from 'node:crypto';
import type pg from 'pg';

export interface Asked {
  readonly uid: string;
  readonly player: string;
  readonly type: 'credit' | 'debit';
  readonly amount: number;
  readonly id: string;
}

interface Said {
  readonly status: number;
  readonly body: object;
}

interface Books {
  readonly packageId: number;
  readonly account: string;
  readonly balance: bigint;
  readonly credit: bigint;
}

const insufficientFunds = 8;

export async function move(client: pg.PoolClient, asked: Asked, planted: string): Promise<Said> {
  await client.query('begin');
  try {
    const said = await decide(client, asked, planted);
    await client.query('commit');
    return said;
  } catch (error) {
    await client.query('rollback');
    // The unique key refused a concurrent repeat. The second try finds the stored answer.
    if ((error as { code?: string }).code === '23505') return move(client, asked, planted);
    throw error;
  }
}

async function decide(client: pg.PoolClient, asked: Asked, planted: string): Promise<Said> {
  // The bugs `race` and `no-unique-key` read before they lock, and then use the outdated values.
  const early = planted === 'race' ? await readBooks(client, asked) : undefined;
  const looked = planted === 'no-unique-key' ? await findDone(client, asked) : undefined;
  if (looked) return looked;
  const sequence = await lockHead(client, asked.uid);
  const done = planted === 'no-unique-key' ? undefined : await findDone(client, asked);
  if (done) return done;
  const books = early ?? (await readBooks(client, asked));
  const amount = planted === 'float' ? Math.floor(asked.amount * 100) : Math.round(asked.amount * 100);
  const isMean = planted === 'mean' && amount % 4 === 0;
  const isShort = asked.type === 'debit' && (isMean || books.balance < BigInt(amount));
  const isCredit = asked.type === 'credit' || (planted === 'wrong-way' && amount % 4 === 0);
  const change = isShort ? 0n : BigInt(isCredit ? amount : -amount);
  const balance = books.balance + change;
  const credit = books.credit - change;
  await write(client, { asked, books, balance, credit, amount, sequence, isShort, isCredit });
  return isShort
    ? { status: 422, body: { code: 'insufficient_funds' } }
    : { status: 200, body: { data: { balance: Number(balance) / 100, duplicate: false } } };
}

async function lockHead(client: pg.PoolClient, uid: string): Promise<bigint> {
  const { rows } = await client.query<{ sequence: string }>(
    `select sequence from ledger_heads
     where package_id = (select id from packages where uid = $1) for update`,
    [uid],
  );
  return BigInt(rows[0]?.sequence ?? 0) + 1n;
}

async function findDone(client: pg.PoolClient, asked: Asked): Promise<Said | undefined> {
  const { rows } = await client.query<{ kind: number; result: number; balance: string }>(
    `select j.kind, j.result,
       case when j.debit_account = 1 then j.credit_balance else j.debit_balance end as balance
     from journal j join packages p on p.id = j.package_id
     where p.uid = $1 and j.id_hash = $2 limit 1`,
    [asked.uid, hashOf(asked.id)],
  );
  const [found] = rows;
  if (!found) return undefined;
  if (found.result === insufficientFunds) {
    return { status: 422, body: { code: 'insufficient_funds' } };
  }
  return { status: 200, body: { data: { balance: Number(found.balance) / 100, duplicate: true } } };
}

async function readBooks(client: pg.PoolClient, asked: Asked): Promise<Books> {
  const { rows } = await client.query<Record<'id' | 'account' | 'balance' | 'credit', string>>(
    `select p.id, l.account_id as account, a.balance, c.balance as credit
     from packages p
     join players l on l.package_id = p.id and l.player_id = $2
     join accounts a on a.package_id = p.id and a.id = l.account_id
     join accounts c on c.package_id = p.id and c.id = 1
     where p.uid = $1`,
    [asked.uid, asked.player],
  );
  const [row] = rows;
  if (!row) throw new Error('the player does not exist');
  return {
    packageId: Number(row.id),
    account: row.account,
    balance: BigInt(row.balance),
    credit: BigInt(row.credit),
  };
}

const hashOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32);

async function write(
  client: pg.PoolClient,
  row: {
    asked: Asked;
    books: Books;
    balance: bigint;
    credit: bigint;
    amount: number;
    sequence: bigint;
    isShort: boolean;
    isCredit: boolean;
  },
): Promise<void> {
  const { asked, books, balance, credit, isCredit } = row;
  const player = [books.account, balance];
  const own = ['1', credit];
  const [from, to] = isCredit ? [own, player] : [player, own];
  await client.query(
    `insert into journal (package_id, sequence, previous_sequence, kind, result, debit_account,
       debit_balance, credit_account, credit_balance, amount, id_hash, transaction_id, hash, created_at)
     values ($1, $2, 0, $3, $4, $5, $6, $7, $8, $9, $10, $11, sha256(''), now())`,
    [
      ...[books.packageId, row.sequence, asked.type === 'credit' ? 1 : 2],
      row.isShort ? insufficientFunds : 0,
      ...[...(from ?? []), ...(to ?? []), row.amount, hashOf(asked.id), asked.id],
    ],
  );
  await client.query('update ledger_heads set sequence = $2 where package_id = $1', [
    books.packageId,
    row.sequence,
  ]);
  for (const [account, value] of [player, own]) {
    await client.query('update accounts set balance = $3 where package_id = $1 and id = $2', [
      books.packageId,
      account,
      value,
    ]);
  }
}
