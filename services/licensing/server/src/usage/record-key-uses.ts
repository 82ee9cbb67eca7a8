// Remembers when and from where keys were last used; called in the background, never by a request.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { upsertKeyUses } from './key-uses-store.ts';

export interface KeyUse {
  readonly apiKeyId: bigint;
  readonly at: Date;
  readonly address: string;
  /** When a web page last sent it, a secret key; undefined where none did. */
  readonly page: { readonly origin: string; readonly at: Date } | undefined;
}

/** One use per key, in the order of the keys: two processes then lock rows in the same order. */
export async function recordKeyUses(
  tx: Tx,
  workspaceId: bigint,
  uses: readonly KeyUse[],
): Promise<void> {
  await upsertKeyUses(tx, workspaceId, uses);
}
