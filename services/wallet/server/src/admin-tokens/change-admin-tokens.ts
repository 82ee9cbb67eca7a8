// Creates and revokes the tokens by which programs act for administrators.

import { hashSecret, type MasterKey, makeSecret } from '@counterfoil/kit/crypto/secrets';
import { isPrintableWithin } from '@counterfoil/kit/http/text';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../audit/audit-event.ts';
import { recordPlatformAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { tokenPrefix } from './admin-token.ts';
import { countLiveTokens } from './queries.ts';
import { insertTokenRow, lockToken, saveTokenRevoked } from './store.ts';

/**
 * The maximum number of live tokens. Tokens are limited because each token has full access. Two requests at
 * the same time may exceed the limit by one.
 */
const maxLiveTokens = 100;

const dayMs = 24 * 3_600_000;

export async function createAdminToken(
  tx: Tx,
  masterKey: MasterKey,
  wanted: { name: string; days?: number | undefined; actor: Actor; at: Date },
): Promise<{ id: bigint; token: string }> {
  const { actor, at, days } = wanted;
  const name = wanted.name.trim();
  if (!isPrintableWithin(name, { min: 1, max: 100 })) {
    throw fail('invalid_parameter', { errors: { name: ['needs 1 to 100 printable characters.'] } });
  }
  if ((await countLiveTokens(tx, at)) >= maxLiveTokens) throw fail('too_many_admin_tokens');
  const token = makeSecret(tokenPrefix);
  const id = await insertTokenRow(tx, {
    name,
    tokenHash: hashSecret(masterKey, token),
    hint: token.slice(-4),
    createdBy: 'personId' in actor ? actor.personId : undefined,
    expiresAt: days === undefined ? undefined : new Date(at.getTime() + days * dayMs),
    at,
  });
  await recordEvent(tx, { id, actor, at, name, action: 'admin_token_created' });
  return { id, token };
}

/** Revoking a revoked token changes nothing. */
export async function revokeAdminToken(
  tx: Tx,
  target: { id: bigint; actor: Actor; at: Date },
): Promise<void> {
  const token = await lockToken(tx, target.id);
  if (!token) throw fail('admin_token_not_found');
  if (token.revokedAt) return;
  await saveTokenRevoked(tx, target.id, target.at);
  await recordEvent(tx, { ...target, name: token.name, action: 'admin_token_revoked' });
}

const recordEvent = (
  tx: Tx,
  { id, name, ...event }: { id: bigint; name: string; action: string; actor: Actor; at: Date },
): Promise<void> =>
  recordPlatformAudit(tx, { ...event, subject: { kind: 'admin_token', id: String(id) }, details: { name } });
