// Generates a long history: an opening top-up, a credit for every player, then credits and debits.
import { chainMovement, makeGenesisHash } from '@counterfoil/wallet-server/ledger/rules/chain';
import { hashId } from '@counterfoil/wallet-server/ledger/rules/ids';
import {
  creditAccount,
  issuanceAccount,
  kinds,
  type Movement,
} from '@counterfoil/wallet-server/ledger/rules/movement';

export interface History {
  readonly packageId: number;
  readonly players: number;
  readonly movements: number;
  /** The account number of the first player; the other players have the following numbers. */
  readonly firstAccount: bigint;
  /** Eight hexadecimal digits that make the transaction ids of this history unique. */
  readonly tag: string;
}

/** The balances and the journal head after the rows written so far. */
export interface Books {
  sequence: number;
  hash: Buffer;
  credit: number;
  creditSequence: number;
  readonly balances: Float64Array;
  readonly lastSequences: Float64Array;
}

export const packageFunds = 500_000_000_000_000;
const spanMs = 90 * 86_400_000;
const rowsPerPiece = 512;

/** The opening credit of each player, enough for all debits of the history. */
const fundsOf = (players: number): number => Math.min(10_000_000_000, Math.floor(packageFunds / 4 / players));

export const openBooks = ({ packageId, players }: History): Books => ({
  sequence: 0,
  hash: makeGenesisHash(packageId),
  credit: 0,
  creditSequence: 0,
  balances: new Float64Array(players),
  lastSequences: new Float64Array(players),
});

/** Yields rows for `copyColumns`, 512 per chunk, and updates the balances and sequences in `books`. */
export function* writeHistory(history: History, books: Books, now: number): Generator<string> {
  const { players, movements } = history;
  const opening = fundsOf(players);
  // The players and amounts look random, but are the same on every machine.
  let random = 0x2545f491;
  for (let from = 0; from < movements; from += rowsPerPiece) {
    const at = now - spanMs + Math.floor((from / movements) * spanMs);
    let piece = '';
    for (let n = from; n < Math.min(from + rowsPerPiece, movements); n++) {
      if (n === 0) piece += writeTopUp(history, books, at);
      else if (n <= players) piece += writeTransfer(history, books, { player: n - 1, change: opening, at });
      else {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        const player = (random >>> 0) % players;
        const change = (n & 1) === 0 ? 125 : -125;
        piece += writeTransfer(history, books, { player, change, at });
      }
    }
    yield piece;
  }
}

function writeTopUp(history: History, books: Books, at: number): string {
  books.credit += packageFunds;
  row.kind = 'top_up';
  row.previousSequence = 0n;
  row.amount = BigInt(packageFunds);
  row.debitAccount = issuanceAccount;
  row.creditAccount = creditAccount;
  row.debitBalance = BigInt(-packageFunds);
  row.creditBalance = BigInt(books.credit);
  return writeRow(history, books, 'admin', at);
}

function writeTransfer(
  history: History,
  books: Books,
  { player, change, at }: { player: number; change: number; at: number },
): string {
  const isCredit = change > 0;
  const balance = (books.balances[player] as number) + change;
  const account = history.firstAccount + BigInt(player);
  books.balances[player] = balance;
  books.credit -= change;
  row.kind = isCredit ? 'credit' : 'debit';
  row.previousSequence = BigInt(books.lastSequences[player] as number);
  row.amount = BigInt(Math.abs(change));
  row.debitAccount = isCredit ? creditAccount : account;
  row.creditAccount = isCredit ? account : creditAccount;
  row.debitBalance = BigInt(isCredit ? books.credit : balance);
  row.creditBalance = BigInt(isCredit ? balance : books.credit);
  const text = writeRow(history, books, 'caller', at);
  books.lastSequences[player] = books.sequence;
  return text;
}

/** All rows reuse this object, because creating ten million objects would take most of the time. */
const row: { -readonly [Key in keyof Movement]: Movement[Key] } = {
  packageId: 0,
  sequence: 0n,
  previousSequence: 0n,
  kind: 'top_up',
  result: 'applied',
  debitAccount: 0n,
  creditAccount: 0n,
  amount: 0n,
  debitBalance: 0n,
  creditBalance: 0n,
  idHash: '',
  transactionId: '',
  createdAtMs: 0,
  noteHash: undefined,
  referenceHash: undefined,
  roundHash: undefined,
  roundPrevious: undefined,
  gameId: undefined,
};

export const copyColumns =
  'package_id, sequence, previous_sequence, debit_account, credit_account, amount, debit_balance, ' +
  'credit_balance, created_at, kind, result, id_hash, hash, transaction_id';

/** Writes a row. The service's own function hashes the row, so that the service can verify the chain. */
function writeRow({ packageId, tag }: History, books: Books, space: 'admin' | 'caller', at: number): string {
  const sequence = ++books.sequence;
  books.creditSequence = sequence;
  row.packageId = packageId;
  row.sequence = BigInt(sequence);
  row.createdAtMs = at;
  row.transactionId = `load-${tag}-${String(sequence).padStart(9, '0')}`;
  row.idHash = hashId(space, row.transactionId);
  books.hash = chainMovement(books.hash, row);
  return (
    `${packageId}\t${sequence}\t${row.previousSequence}\t${row.debitAccount}\t` +
    `${row.creditAccount}\t${row.amount}\t${row.debitBalance}\t${row.creditBalance}\t` +
    `${presentTime(at)}\t${kinds[row.kind]}\t0\t${row.idHash}\t` +
    `\\\\x${books.hash.toString('hex')}\t${row.transactionId}\n`
  );
}

let lastMs = 0;
let lastText = new Date(0).toISOString();

/** All rows of a chunk have the same time, so the text of the time is reused. */
function presentTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
