// The token of a download link: purchase, version and expiry, signed with the master key.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import { isVersion } from '../items/item-version.ts';

export interface DownloadGrant {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
  /** The version to download. Undefined means the newest version at the time of the download. */
  readonly version: string | undefined;
  readonly expiresAt: Date;
}

/** The beginning of every token. The log redacts the text after it. */
const prefix = 'cfd_';
const layout = 1;
const headBytes = 25;
const macBytes = 32;
const tokenForm = /^cfd_[A-Za-z0-9_-]{70,180}$/;

const sign = (masterKey: MasterKey, payload: Buffer): Buffer =>
  createHmac('sha256', masterKey.derive('download-link')).update(payload).digest();

export function makeDownloadToken(masterKey: MasterKey, grant: DownloadGrant): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(layout, 0);
  head.writeBigUInt64BE(grant.workspaceId, 1);
  head.writeBigUInt64BE(grant.purchaseId, 9);
  head.writeBigUInt64BE(BigInt(Math.floor(grant.expiresAt.getTime() / 1000)), 17);
  const payload = Buffer.concat([head, Buffer.from(grant.version ?? '', 'latin1')]);
  return prefix + Buffer.concat([payload, sign(masterKey, payload)]).toString('base64url');
}

/** Returns the content of a token, or undefined if its signature is wrong. The caller checks the expiry. */
export function readDownloadToken(masterKey: MasterKey, token: string): DownloadGrant | undefined {
  if (!tokenForm.test(token)) return undefined;
  const text = token.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores some bits of the last base64url character, so several texts decode to the same bytes. A
  // token is valid only if encoding its bytes gives the same text again.
  if (bytes.toString('base64url') !== text || bytes.length < headBytes + macBytes) return undefined;
  const payload = bytes.subarray(0, -macBytes);
  if (!equalsInConstantTime(sign(masterKey, payload), bytes.subarray(-macBytes))) return undefined;
  const version = payload.subarray(headBytes).toString('latin1');
  if (payload[0] !== layout || (version !== '' && !isVersion(version))) return undefined;
  return {
    workspaceId: payload.readBigUInt64BE(1),
    purchaseId: payload.readBigUInt64BE(9),
    version: version || undefined,
    expiresAt: new Date(Number(payload.readBigUInt64BE(17)) * 1000),
  };
}
