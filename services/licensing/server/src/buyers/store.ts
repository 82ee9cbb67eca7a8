// Writes `buyer_tokens`. A row is found by the hash of its token. A link is deleted when it is used.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { Buyer } from './buyer-session.ts';
import type { TokenPurpose } from './queries.ts';

export async function insertToken(
  tx: Tx,
  token: { tokenHash: Buffer; purpose: TokenPurpose; buyer: Buyer; at: Date; expiresAt: Date },
): Promise<void> {
  const { email, workspaceIds, purchaseId, codeHash } = token.buyer;
  const { tokenHash, purpose, at, expiresAt } = token;
  await tx.query(
    `insert into buyer_tokens (token_hash, purpose, email, workspace_ids, purchase_id, code_hash, created_at,
       expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tokenHash, purpose, email, workspaceIds, purchaseId, codeHash, at, expiresAt],
  );
}

/** Deletes an open link and returns its buyer. Exactly one of several concurrent callers gets the buyer. */
export const takeLink = (tx: Tx, tokenHash: Buffer, now: Date): Promise<Buyer | undefined> =>
  queryRow<Buyer>(
    tx,
    `delete from buyer_tokens where token_hash = $1 and purpose = 'link' and expires_at > $2
     returning email, workspace_ids`,
    [tokenHash, now],
  );

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(`delete from buyer_tokens where token_hash = $1 and purpose = 'session'`, [tokenHash]);
}

/** Binds a session that was opened with a code to the new code of its purchase. */
export async function saveCodeOfSession(tx: Tx, tokenHash: Buffer, codeHash: Buffer): Promise<void> {
  await tx.query('update buyer_tokens set code_hash = $2 where token_hash = $1 and purchase_id is not null', [
    tokenHash,
    codeHash,
  ]);
}

/** Deletes up to 100 expired rows. Each sign-in adds at most two rows, so the table does not grow. */
export async function deleteExpiredTokens(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    `delete from buyer_tokens where token_hash in (select token_hash from buyer_tokens
       where expires_at <= $1 order by expires_at limit 100 for update skip locked)`,
    [now],
  );
}

/** Deletes the oldest sessions of a buyer, so that `keep` sessions are left. */
export async function deleteExcessSessions(tx: Tx, email: string, keep: number): Promise<void> {
  await tx.query(
    `delete from buyer_tokens where token_hash in (select token_hash from buyer_tokens
       where email = $1 and purpose = 'session' order by created_at desc, token_hash offset $2)`,
    [email, keep],
  );
}

/** Deletes all links and sessions of an e-mail address. */
export async function deleteTokensOf(tx: Tx, email: string): Promise<void> {
  await tx.query('delete from buyer_tokens where email = $1', [email]);
}
