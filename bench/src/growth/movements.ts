// A long history made up: an opening top-up, a credit for every player, then credits and debits.
import { chainMovement, makeGenesisHash } from '@counterfoil/wallet-server/ledger/chain';
import { hashId } from '@counterfoil/wallet-server/ledger/ids';
import {
  creditAccount,
  issuanceAccount,
  kinds,
  type Movement,
} from '@counterfoil/wallet-server/ledger/movement';

export interface History {
  readonly packageId: number;
  readonly players: number;
  readonly movements: number;
  /** Account numbers of players follow one another from here on. */
  readonly firstAccount: bigint;
  /** Eight letters that keep its ids apart from any others. */
  readonly tag: string;
}

/** Where the history stands: what the accounts and the head must say when all rows are written. */
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

/** Every player can pay whatever comes, and all of them together what the package holds. */
const fundsOf = (players: number): number =>
  Math.min(10_000_000_000, Math.floor(packageFunds / 4 / players));

export const openBooks = ({ packageId, players }: History): Books => ({
  sequence: 0,
  hash: makeGenesisHash(packageId),
  credit: 0,
  creditSequence: 0,
  balances: new Float64Array(players),
  lastSequences: new Float64Array(players),
});

/** Rows for `copyColumns`, some hundred to a piece; the books are moved on the way. */
export function* writeHistory(history: History, books: Books, now: number): Generator<string> {
  const { players, movements } = history;
  const opening = fundsOf(players);
  // The same players and amounts on every machine, all over the place.
  let random = 0x2545f491;
  for (let from = 0; from < movements; from += rowsPerPiece) {
    const at = now - spanMs + Math.floor((from / movements) * spanMs);
    let piece = '';
    for (let n = from; n < Math.min(from + rowsPerPiece, movements); n++) {
      if (n === 0) piece += writeTopUp(history, books, at);
      else if (n <= players)
        piece += writeTransfer(history, books, { player: n - 1, change: opening, at });
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
  return writeRow(history, books, {
    ...{ kind: 'top_up', space: 'admin', previous: 0, at, amount: packageFunds },
    ...{ debitAccount: issuanceAccount, creditAccount },
    ...{ debitBalance: -packageFunds, creditBalance: books.credit },
  });
}

function writeTransfer(
  history: History,
  books: Books,
  { player, change, at }: { player: number; change: number; at: number },
): string {
  const isCredit = change > 0;
  const balance = (books.balances[player] as number) + change;
  const account = history.firstAccount + BigInt(player);
  const previous = books.lastSequences[player] as number;
  books.balances[player] = balance;
  books.credit -= change;
  const row = writeRow(history, books, {
    ...{ kind: isCredit ? 'credit' : 'debit', space: 'caller', previous, at },
    amount: Math.abs(change),
    debitAccount: isCredit ? creditAccount : account,
    creditAccount: isCredit ? account : creditAccount,
    debitBalance: isCredit ? books.credit : balance,
    creditBalance: isCredit ? balance : books.credit,
  });
  books.lastSequences[player] = books.sequence;
  return row;
}

interface Row {
  readonly kind: 'top_up' | 'credit' | 'debit';
  readonly space: 'admin' | 'caller';
  readonly previous: number;
  readonly at: number;
  readonly amount: number;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly debitBalance: number;
  readonly creditBalance: number;
}

export const copyColumns =
  'package_id, sequence, previous_sequence, debit_account, credit_account, amount, debit_balance, ' +
  'credit_balance, created_at, kind, result, id_hash, hash, transaction_id';

/** The chain is made by the service's own function, so that it cannot differ from it. */
function writeRow({ packageId, tag }: History, books: Books, row: Row): string {
  const sequence = ++books.sequence;
  books.creditSequence = sequence;
  const transactionId = `load-${tag}-${String(sequence).padStart(9, '0')}`;
  const idHash = hashId(row.space, transactionId);
  const movement: Movement = {
    ...{ packageId, kind: row.kind, result: 'applied', idHash, transactionId },
    sequence: BigInt(sequence),
    previousSequence: BigInt(row.previous),
    debitAccount: row.debitAccount,
    creditAccount: row.creditAccount,
    amount: BigInt(row.amount),
    debitBalance: BigInt(row.debitBalance),
    creditBalance: BigInt(row.creditBalance),
    createdAtMs: row.at,
    ...{ noteHash: undefined, referenceHash: undefined, roundHash: undefined },
    ...{ roundPrevious: undefined, gameId: undefined },
  };
  books.hash = chainMovement(books.hash, movement);
  return (
    `${packageId}\t${sequence}\t${row.previous}\t${row.debitAccount}\t${row.creditAccount}\t` +
    `${row.amount}\t${row.debitBalance}\t${row.creditBalance}\t${presentTime(row.at)}\t` +
    `${kinds[row.kind]}\t0\t${idHash}\t\\\\x${books.hash.toString('hex')}\t${transactionId}\n`
  );
}

let lastMs = 0;
let lastText = new Date(0).toISOString();

/** All rows of a piece have one time. */
function presentTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
