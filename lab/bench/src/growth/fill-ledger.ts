// Fills the service's tables with players and a long history of one package, using COPY.
import { copyIn } from '@counterfoil/kit/postgres/copy-in';
import { openProgress } from '@counterfoil/kit/process/progress';
import pg from 'pg';
import { type Books, copyColumns, type History, openBooks, packageFunds, writeHistory } from './movements.ts';

export type Fill = Omit<History, 'firstAccount'> & {
  /** Number of digits in a player's name. */
  readonly digits: number;
};

export const namePlayer = (n: number, digits: number): string => `player-${String(n).padStart(digits, '0')}`;

const rowsPerPiece = 1000;

/** Fills an empty ledger, and returns how many seconds it took to write the movements. */
export async function fillLedger(url: string, fill: Fill): Promise<{ seconds: number }> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench loader' });
  await client.connect();
  try {
    // Commits need not be durable, because the dataset is created again after a crash.
    await client.query('set synchronous_commit = off');
    const firstAccount = await reserveAccounts(client, fill.players);
    const history = { ...fill, firstAccount };
    const books = openBooks(history);
    const startedAt = performance.now();
    const pieces = showProgress(writeHistory(history, books, Date.now()), fill.movements, books);
    await client.query('begin');
    await copyIn(client, `copy journal (${copyColumns}) from stdin`, pieces);
    const seconds = (performance.now() - startedAt) / 1000;
    await writePlayers(client, history, books, fill.digits);
    await writeOwnAccounts(client, history, books);
    await client.query('commit');
    return { seconds };
  } finally {
    await client.end();
  }
}

function* showProgress(pieces: Iterable<string>, rows: number, books: Books): Generator<string> {
  const progress = openProgress(process.stderr);
  for (const piece of pieces) {
    yield piece;
    progress.show({ part: books.sequence / rows, rows: books.sequence });
  }
  progress.finish();
}

async function reserveAccounts(client: pg.Client, players: number): Promise<bigint> {
  const { rows } = await client.query<{ first: string }>(
    `select setval('player_account_ids', nextval('player_account_ids') + $1 - 1) - $1 + 1 as first`,
    [players],
  );
  return BigInt(rows[0]?.first ?? 0);
}

async function writePlayers(
  client: pg.Client,
  { packageId, players, firstAccount }: History,
  books: Books,
  digits: number,
): Promise<void> {
  const write = function* (row: (n: number) => string): Generator<string> {
    for (let from = 0; from < players; from += rowsPerPiece) {
      let piece = '';
      for (let n = from; n < Math.min(from + rowsPerPiece, players); n++) piece += row(n);
      yield piece;
    }
  };
  const account = (n: number) => `${packageId}\t${firstAccount + BigInt(n)}`;
  const state = (n: number) => `${books.balances[n]}\t${books.lastSequences[n]}`;
  await copyIn(
    client,
    'copy accounts (package_id, id, balance, last_sequence) from stdin',
    write((n) => `${account(n)}\t${state(n)}\n`),
  );
  await copyIn(
    client,
    'copy players (package_id, account_id, player_id) from stdin',
    write((n) => `${account(n)}\t${namePlayer(n, digits)}\n`),
  );
}

async function writeOwnAccounts(client: pg.Client, { packageId }: History, books: Books): Promise<void> {
  const save = 'update accounts set balance = $3, last_sequence = $4 where package_id = $1 and id = $2';
  await client.query(save, [packageId, 1, books.credit, books.creditSequence]);
  await client.query(save, [packageId, 3, -packageFunds, 1]);
  await client.query('update ledger_heads set sequence = $2, hash = $3 where package_id = $1', [
    packageId,
    books.sequence,
    books.hash,
  ]);
}
