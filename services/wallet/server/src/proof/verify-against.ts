// Compares the journal with an earlier export. A journal that was changed since then does not match the seal
// of the export.
import { createHash } from 'node:crypto';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { type ExportSeal, hasTrueMac, readExportSeal } from './export-file.ts';
import type { Flaw } from './proof.ts';
import { findHashAt } from './queries.ts';

/** Reads the seal from the last line of an export. Throws if this service did not make the seal. */
export function readSeal(masterKey: MasterKey, lastLine: string): ExportSeal {
  try {
    const { seal, mac } = readExportSeal(lastLine) as { seal: ExportSeal; mac: string };
    if (hasTrueMac(masterKey, seal, mac)) return seal;
  } catch {
    // A line that cannot be parsed is not a seal.
  }
  throw new PlainError('The file does not end with a seal of this service: it is cut or changed.');
}

/** Reads the seal of a file. Throws if the seal does not match the lines of the file. */
export async function readSealedLines(
  masterKey: MasterKey,
  lines: AsyncIterable<string>,
): Promise<ExportSeal> {
  const digest = createHash('sha256');
  let last: string | undefined;
  for await (const line of lines) {
    if (last !== undefined) digest.update(`${last}\n`);
    last = line;
  }
  const seal = readSeal(masterKey, last ?? '');
  if (digest.digest('hex') === seal.sha256) return seal;
  throw new PlainError('The lines of the file are not the lines that were sealed.');
}

/**
 * Compares the sealed row with the journal. If the row is equal and the hash chain is intact, no row up to
 * the sealed row was changed.
 */
export async function verifyAgainst(db: Queryable, packageId: number, seal: ExportSeal): Promise<Flaw[]> {
  const sequence = BigInt(seal.head_sequence);
  const hash = await findHashAt(db, packageId, sequence);
  if (hash?.toString('hex') === seal.head_hash) return [];
  const problem = hash
    ? 'is not the row that was exported: the journal was rewritten up to here'
    : 'was exported, but is gone';
  return [{ sequence, problem }];
}
