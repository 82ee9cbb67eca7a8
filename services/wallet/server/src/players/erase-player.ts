// Erases a player's personal data. Movements and balances stay.
import type { Db } from '@counterfoil/kit/postgres/db';
import { operator } from '../audit/audit-event.ts';
import { recordAudit, renameAuditSubject } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { eraseNotes } from '../ledger/accounts.ts';
import { announcePlayerChange } from './find-account.ts';
import { findPlayer } from './queries.ts';
import { overwritePlayer } from './store.ts';

export async function erasePlayer(
  db: Db,
  wanted: { packageId: number; playerId: string; at?: Date },
): Promise<void> {
  const { packageId, playerId, at = new Date() } = wanted;
  const player = await findPlayer(db, { packageId, playerId });
  if (!player) throw fail('player_not_found');
  await db.transaction(async (tx) => {
    const id = await overwritePlayer(tx, { packageId, accountId: player.accountId });
    await eraseNotes(tx, { packageId, account: player.accountId });
    // The audit log still shows what was done to this player, under the new id.
    await renameAuditSubject(tx, { packageId, kind: 'player', from: playerId, to: id });
    const subject = { kind: 'player', id };
    await recordAudit(tx, { packageId, at, actor: operator, action: 'player_erased', subject });
    await announcePlayerChange(tx, packageId, playerId);
  });
}
