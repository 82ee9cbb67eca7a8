// A simple rival: a transaction of five statements per request.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { chainMovement } from '@counterfoil/wallet-server/ledger/rules/chain';
import { hashId } from '@counterfoil/wallet-server/ledger/rules/ids';
import { kinds, type Movement } from '@counterfoil/wallet-server/ledger/rules/movement';
import { answerBy, type Posted, serveUpdates, type Update } from './facade.ts';
import { openRivalsDb } from './rivals.ts';

const packageId = Number(process.env.PACKAGE_ID);
const db = openRivalsDb({ url: process.env.WALLET_DATABASE_URL ?? '', maxConnections: 10 });

interface Locked {
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly credit: bigint;
  readonly id: bigint;
  readonly balance: bigint;
  readonly last_sequence: bigint;
}

async function lock(tx: Tx, playerId: string): Promise<Locked> {
  const { rows } = await tx.query<Locked>({
    name: 'naive_lock',
    text: `select h.sequence, h.hash, c.balance as credit, a.id, a.balance, a.last_sequence
           from ledger_heads h
           join accounts c on c.package_id = h.package_id and c.id = 1
           join players p on p.package_id = h.package_id and p.player_id = $2
           join accounts a on a.package_id = h.package_id and a.id = p.account_id
           where h.package_id = $1 for update of h, c, a`,
    values: [packageId, playerId],
  });
  if (!rows[0]) throw new Error('the player does not exist');
  return rows[0];
}

async function findPosted(tx: Tx, idHash: string, credit: bigint): Promise<Posted | undefined> {
  const { rows } = await tx.query<{ balance: bigint; created_at: Date }>({
    name: 'naive_find',
    text: `select case kind when 1 then credit_balance else debit_balance end as balance, created_at
           from journal where package_id = $1 and id_hash = $2::uuid`,
    values: [packageId, idHash],
  });
  const [row] = rows;
  return row && { balance: row.balance, credit, at: row.created_at, duplicate: true };
}

function draft(locked: Locked, update: Update, idHash: string): Movement {
  const { type, amount, transactionId } = update;
  const isCredit = type === 'credit';
  const balance = isCredit ? locked.balance + amount : locked.balance - amount;
  const credit = isCredit ? locked.credit - amount : locked.credit + amount;
  if (balance < 0n || credit < 0n) throw new Error('not enough money for this measurement');
  return {
    packageId,
    sequence: locked.sequence + 1n,
    previousSequence: locked.last_sequence,
    kind: type,
    result: 'applied',
    debitAccount: isCredit ? 1n : locked.id,
    creditAccount: isCredit ? locked.id : 1n,
    amount,
    debitBalance: isCredit ? credit : balance,
    creditBalance: isCredit ? balance : credit,
    idHash,
    transactionId,
    createdAtMs: Date.now(),
    noteHash: undefined,
    referenceHash: undefined,
    roundHash: undefined,
    roundPrevious: undefined,
    gameId: undefined,
  };
}

async function write(tx: Tx, movement: Movement, hash: Buffer): Promise<void> {
  await tx.query({
    name: 'naive_write',
    text: `with moved as (
             update ledger_heads set sequence = $2, hash = $13 where package_id = $1
           ), balanced as (
             update accounts a set balance = n.balance, last_sequence = $2, updated_at = $9
             from (values ($4::bigint, $7::bigint), ($5::bigint, $8::bigint)) as n (id, balance)
             where a.package_id = $1 and a.id = n.id)
           insert into journal (package_id, sequence, previous_sequence, debit_account,
             credit_account, amount, debit_balance, credit_balance, created_at, kind, result,
             id_hash, transaction_id, hash)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11::uuid, $12, $13)`,
    values: [
      packageId,
      movement.sequence,
      movement.previousSequence,
      movement.debitAccount,
      movement.creditAccount,
      movement.amount,
      movement.debitBalance,
      movement.creditBalance,
      new Date(movement.createdAtMs),
      kinds[movement.kind],
      movement.idHash,
      movement.transactionId,
      hash,
    ],
  });
}

const post = (update: Update): Promise<Posted> =>
  db.transaction(async (tx) => {
    const idHash = hashId('caller', update.transactionId);
    const locked = await lock(tx, update.playerId);
    const before = await findPosted(tx, idHash, locked.credit);
    if (before) return before;
    const movement = draft(locked, update, idHash);
    await write(tx, movement, chainMovement(locked.hash, movement));
    const isCredit = update.type === 'credit';
    return {
      balance: isCredit ? movement.creditBalance : movement.debitBalance,
      credit: isCredit ? movement.debitBalance : movement.creditBalance,
      at: new Date(movement.createdAtMs),
      duplicate: false,
    };
  });

await serveUpdates(answerBy(post));
