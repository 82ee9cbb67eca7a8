// Exports a range of a journal as NDJSON or CSV, with a seal that reveals a later rewrite of the table.
import { createHash } from 'node:crypto';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { formatMinor, type Unit } from '@counterfoil/kit/money';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { markConnection } from '../connections/connection.ts';
import { nameConnections } from '../connections/name-connections.ts';
import { type JournalEntry, listJournalPage } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { getSubject, movesMoney } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import { markPromo } from '../wire/movement.ts';
import {
  type ExportFormat,
  type ExportSeal,
  makeMac,
  writeExportHead,
  writeExportLine,
  writeExportSeal,
} from './export-file.ts';
import { findFirstSequence, findHashAt } from './queries.ts';

export interface ExportOptions {
  readonly package: { readonly id: number; readonly uid: string } & Unit;
  /** The export includes movements at `from`, and excludes movements at `to`. */
  readonly from: Date;
  readonly to: Date;
  /** The format of the export; NDJSON by default. */
  readonly format?: ExportFormat;
  readonly write: (line: string) => Promise<void>;
  readonly onProgress?: (movements: number) => void;
}

const pageSize = 5000;

export async function exportJournal(
  db: Db,
  masterKey: MasterKey,
  options: ExportOptions,
): Promise<ExportSeal> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const { id: packageId, uid } = options.package;
    const first = await findFirstSequence(tx, packageId, options.from);
    const end = await findFirstSequence(tx, packageId, options.to);
    const { movements, totals, sha256 } = await writeLines(tx, options, first, end);
    const hash = await findHashAt(tx, packageId, end - 1n);
    const seal: ExportSeal = {
      package_uid: uid,
      first_sequence: Number(first),
      last_sequence: Number(end - 1n),
      movements,
      totals,
      sha256,
      head_sequence: Number(end - 1n),
      head_hash: hash?.toString('hex') ?? '',
    };
    const sealed = { seal, mac: makeMac(masterKey, seal) };
    await options.write(writeExportSeal(sealed, options.format ?? 'ndjson'));
    return seal;
  });
}

async function writeLines(tx: Tx, options: ExportOptions, first: bigint, end: bigint) {
  const digest = createHash('sha256');
  const totals = new Map<string, bigint>();
  let movements = 0;
  for (const line of writeExportHead(options.format ?? 'ndjson')) {
    digest.update(`${line}\n`);
    await options.write(line);
  }
  for (let after = first - 1n; after < end - 1n; ) {
    const wanted = { packageId: options.package.id, after, limit: pageSize };
    const page = (await listJournalPage(tx, wanted)).filter((row) => row.movement.sequence < end);
    if (page.length === 0) break;
    for (const line of await presentPage(tx, options, page, totals)) {
      digest.update(`${line}\n`);
      await options.write(line);
      movements++;
    }
    after = page.at(-1)?.movement.sequence ?? end;
    options.onProgress?.(movements);
  }
  const unit = options.package;
  const texts = [...totals].map(([kind, total]) => [kind, formatMinor(total, unit)]);
  return { movements, sha256: digest.digest('hex'), totals: Object.fromEntries(texts) };
}

async function presentPage(
  tx: Tx,
  options: ExportOptions,
  page: readonly JournalEntry[],
  totals: Map<string, bigint>,
): Promise<string[]> {
  const unit = options.package;
  const { id: packageId, currency } = unit;
  const accounts = page.map((row) => getSubject(row.movement).account);
  const players = await nameAccounts(tx, packageId, accounts);
  const movements = page.map((row) => row.movement);
  const rounds = await nameRounds(tx, packageId, movements);
  const connections = await nameConnections(tx, packageId, movements, rounds);
  return page.map(({ movement, hash }) => {
    const { account, balance } = getSubject(movement);
    if (movesMoney(movement.result)) {
      totals.set(movement.kind, (totals.get(movement.kind) ?? 0n) + movement.amount);
    }
    const line = {
      sequence: Number(movement.sequence),
      created_at: new Date(movement.createdAtMs).toISOString(),
      kind: movement.kind,
      result: movement.result,
      transaction_id: movement.transactionId,
      player_id: players.get(account) ?? null,
      amount: formatMinor(movement.amount, unit),
      balance: formatMinor(balance, unit),
      currency,
      game_id: movement.gameId ?? null,
      hash: hash.toString('hex'),
      ...markPromo(account),
      ...(movement.shortfall !== undefined && { shortfall: formatMinor(movement.shortfall, unit) }),
      ...markConnection(connections.get(movement.sequence)),
    };
    return writeExportLine(line, options.format ?? 'ndjson');
  });
}
