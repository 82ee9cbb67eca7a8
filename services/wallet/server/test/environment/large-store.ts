// Fills a package by SQL with many rows. A full scan then costs far more than one page of a list.
import { openDb } from '@counterfoil/kit/postgres/db';
import { ensurePartitions } from '@counterfoil/kit/postgres/partitions';

/** The number of players who have movements. */
const busy = 1000;

const fills = [
  `insert into accounts (package_id, id, balance, last_sequence)
   select $1, 1000000 + n, 5000,
     case when n > ${busy} then 0 else (($2::int - n) / ${busy}) * ${busy} + n end
   from generate_series(1, $2::int) as n`,
  `insert into players (package_id, account_id, player_id)
   select $1, 1000000 + n, 'player-' || n from generate_series(1, $2::int) as n`,
  // The movement with the sequence s belongs to player s mod 1000, so the player's previous movement is 1000
  // rows earlier. Every thousandth movement is a top-up. Two thirds of the other movements are bets, each in
  // a new round.
  `insert into journal (sequence, previous_sequence, debit_account, credit_account, amount,
     debit_balance, credit_balance, created_at, package_id, kind, result, id_hash, hash,
     transaction_id, round_hash, game_id)
   select s, case when s % ${busy} = 0 then 0 else greatest(s - ${busy}, 0) end,
     case when s % ${busy} = 0 then 3 when s % 3 = 0 then 2 else player end,
     case when s % ${busy} = 0 then 1 when s % 3 = 0 then player else 2 end,
     100, 5000, 5000, $3::timestamptz - make_interval(secs => $2::int - s), $1,
     case when s % ${busy} = 0 then 3 when s % 3 = 0 then 6 else 5 end, 0,
     md5('id' || s)::uuid, decode(repeat('00', 32), 'hex'), 't-' || s,
     case when s % ${busy} > 0 and s % 3 > 0 then md5('round' || s)::uuid end,
     case when s = 2 then 'rare' else 'moon' end
   from (select s, 1000000 + s % ${busy} as player from generate_series(1, $2::int) as s) as each`,
  `insert into rounds (package_id, round_hash, account_id, round_id, state, bet_total,
     last_sequence, opened_at)
   select $1, round_hash, debit_account, 'round-' || sequence,
     case when sequence % 2 = 0 then 0 else 1 end, 100, sequence, created_at
   from journal where package_id = $1 and round_hash is not null`,
  `update ledger_heads set sequence = $2 where package_id = $1`,
  `insert into callback_log (package_id, at, attempts, request_id, address, action,
     transaction_id, player_id, round_id, status, code, result, field)
   select $1, $3::timestamptz - make_interval(secs => n::float / 10), 1, 'r-' || n, '10.0.0.1',
     'bet', 't-' || n, 'player-' || (n % ${busy}), '', 409,
     case when n = $2::int then 'player_blocked' else 'transaction_conflict' end, '', 'amount'
   from generate_series(1, $2::int) as n`,
  `insert into audit_log (package_id, at, actor_kind, address, action, subject_kind, subject_id,
     details)
   select $1, $3::timestamptz, 'operator', '',
     case when n = 1 then 'package_suspended' else 'player_blocked' end, 'player', 'p-' || n, '{}'
   from generate_series(1, $2::int) as n`,
  `insert into game_sessions (package_id, id, account_id, game_id, mode, created_at, expires_at)
   select $1, 's-' || n, 1000000 + n, 'moon', 'real', $3::timestamptz, $3::timestamptz
   from generate_series(1, $2::int) as n`,
  `insert into provider_connections (package_id, id, name, dialect, secrets_sealed, created_at)
   select $1::int, 'con_' || $1::int || 'x' || repeat('0', 30), 'Busy', 'valkyrie', '', now()`,
  `insert into provider_calls (package_id, at, connection_id, request_id, address, operation, player_id,
     transaction_ids, round_id, status, code, meaning, body)
   select $1::int, $3::timestamptz - make_interval(secs => n::float / 10),
     'con_' || $1::int || 'x' || repeat('0', 30), 'r-' || n, '10.0.0.1', 'POST /betwin',
     'player-' || (n % ${busy}), array['t-' || n], '', 200, '', '', ''
   from generate_series(1, $2::int) as n`,
];

export const largeTables = [
  'accounts',
  'players',
  'journal',
  'rounds',
  'callback_log',
  'provider_calls',
  'audit_log',
  'game_sessions',
];

export async function fillPackage(
  url: string,
  wanted: { packageId: number; rows: number; at: Date },
): Promise<void> {
  const db = openDb({ url, applicationName: 'filling', queryTimeoutMs: 120_000 });
  for (const name of ['callback_log', 'provider_calls']) {
    await ensurePartitions(db, { name, unit: 'day', keep: 30, ahead: 7 }, [wanted.at]);
  }
  await db.query('delete from journal where package_id = $1', [wanted.packageId]);
  for (const fill of fills) {
    const needed = [wanted.packageId, wanted.rows, wanted.at.toISOString()];
    const numbers = [...fill.matchAll(/\$(\d)/g)].map(([, number]) => Number(number));
    await db.query(fill, needed.slice(0, Math.max(...numbers)));
  }
  await db.query(`analyze ${largeTables.join(', ')}`);
  await db.end();
}
