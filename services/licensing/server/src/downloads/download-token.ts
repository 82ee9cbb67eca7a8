// The token of a download link: purchase, code, version and expiry, signed with the master key.
import { createHmac } from 'node:crypto';
import { equalsInConstantTime, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import { isVersion } from '../items/item-version.ts';

export interface DownloadGrant {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
  /** The version to download. Undefined means the newest version at the time of the download. */
  readonly version: string | undefined;
  readonly expiresAt: Date;
  /**
   * The public id of the code that proved the purchase. The link ends when the purchase gets another code. A
   * link that the seller has made contains no code, so another code does not end it.
   */
  readonly codeId?: string | undefined;
}

/** The beginning of every token. The log redacts the text after it. */
const prefix = 'cfd_';
/** The first byte of a token. It shows whether the field with the expiry is followed by the id of a code. */
const layouts = { withoutCode: 1, withCode: 2 } as const;
const headBytes = 25;
const codeIdBytes = 16;
const macBytes = 32;
const tokenForm = /^cfd_[A-Za-z0-9_-]{70,180}$/;

const sign = (masterKey: MasterKey, payload: Buffer): Buffer =>
  createHmac('sha256', masterKey.derive('download-link')).update(payload).digest();

export function makeDownloadToken(masterKey: MasterKey, grant: DownloadGrant): string {
  const head = Buffer.alloc(headBytes);
  const codeId = Buffer.from(grant.codeId ?? '', 'base64url');
  head.writeUInt8(grant.codeId === undefined ? layouts.withoutCode : layouts.withCode, 0);
  head.writeBigUInt64BE(grant.workspaceId, 1);
  head.writeBigUInt64BE(grant.purchaseId, 9);
  head.writeBigUInt64BE(BigInt(Math.floor(grant.expiresAt.getTime() / 1000)), 17);
  const payload = Buffer.concat([head, codeId, Buffer.from(grant.version ?? '', 'latin1')]);
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
  const hasCode = payload[0] === layouts.withCode;
  if (!hasCode && payload[0] !== layouts.withoutCode) return undefined;
  const versionAt = headBytes + (hasCode ? codeIdBytes : 0);
  const version = payload.subarray(versionAt).toString('latin1');
  if (version !== '' && !isVersion(version)) return undefined;
  return {
    workspaceId: payload.readBigUInt64BE(1),
    purchaseId: payload.readBigUInt64BE(9),
    version: version || undefined,
    expiresAt: new Date(Number(payload.readBigUInt64BE(17)) * 1000),
    codeId: hasCode ? payload.subarray(headBytes, versionAt).toString('base64url') : undefined,
  };
}
