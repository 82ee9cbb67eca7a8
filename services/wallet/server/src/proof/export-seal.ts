// The last line of an export: totals, a checksum of the lines, and the chain's head under a key of ours.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '@counterfoil/kit/crypto/secrets';

export interface ExportSeal {
  readonly package_uid: string;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly movements: number;
  readonly totals: Readonly<Record<string, string>>;
  readonly sha256: string;
  readonly head_sequence: number;
  readonly head_hash: string;
}

/** Keyed: whoever can rewrite the table and the file still cannot make this. */
export function makeMac(masterKey: MasterKey, seal: ExportSeal): string {
  return createHmac('sha256', masterKey.derive('export'))
    .update(JSON.stringify(canonical(seal)))
    .digest('hex');
}

const canonical = (seal: ExportSeal) => [
  seal.package_uid,
  seal.first_sequence,
  seal.last_sequence,
  seal.movements,
  Object.entries(seal.totals).sort(([a], [b]) => (a < b ? -1 : 1)),
  seal.sha256,
  seal.head_sequence,
  seal.head_hash,
];

export function hasTrueMac(masterKey: MasterKey, seal: ExportSeal, mac: string): boolean {
  const wanted = Buffer.from(makeMac(masterKey, seal), 'hex');
  return equalsInConstantTime(Buffer.from(mac, 'hex'), wanted);
}
