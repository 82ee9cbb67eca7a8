// The tables of the rivals: the service's columns and indexes in a separate schema.

import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { postFunction } from './post-function.ts';

const tables = {
  ledger_heads: ' with (fillfactor = 50)',
  accounts: ' with (fillfactor = 70)',
  players: '',
  journal: '',
  journal_notes: '',
};

/** Copies the package with its hash chain, so that the service's verification can check the copy too. */
export async function createRivals(db: Db, packageId: number): Promise<void> {
  await db.query('create schema rivals');
  for (const [table, storage] of Object.entries(tables)) {
    await db.query(`create table rivals.${table} (like ${table} including all)${storage}`);
    await db.query(`insert into rivals.${table} select * from ${table} where package_id = $1`, [packageId]);
  }
  await db.query(postFunction);
}

/** Opens connections to the rivals' tables, with the settings of the service's ledger. */
export const openRivalsDb = (options: { url: string; maxConnections: number }): Db =>
  openDb({
    ...options,
    applicationName: 'bench rivals',
    sessionSettings: ['search_path=rivals', 'jit=off', 'plan_cache_mode=force_generic_plan'],
  });

export async function loadAccounts(db: Db, packageId: number): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ player_id: string; account_id: bigint }>(
    'select player_id, account_id from players where package_id = $1',
    [packageId],
  );
  return new Map(rows.map((row) => [row.player_id, row.account_id]));
}
