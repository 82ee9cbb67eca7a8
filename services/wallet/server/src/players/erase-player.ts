// Erases a player's personal data. Movements and balances stay.
import type { Db } from '@counterfoil/kit/postgres/db';
import { operator } from '../audit/audit-event.ts';
import { renameAuditSubject } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { eraseNotes } from '../ledger/accounts.ts';
import { accountOfPurse, purses } from '../ledger/rules/movement.ts';
import { announcePlayerChange } from './find-account.ts';
import { recordPlayerEvent } from './manage-player.ts';
import { findPlayer } from './queries.ts';
import { overwritePlayer } from './store.ts';

export async function erasePlayer(
  db: Db,
  { packageId, playerId }: { packageId: number; playerId: string },
): Promise<void> {
  const player = await findPlayer(db, { packageId, playerId });
  if (!player) throw fail('player_not_found');
  await db.transaction(async (tx) => {
    const id = await overwritePlayer(tx, { packageId, accountId: player.accountId });
    for (const purse of purses) {
      await eraseNotes(tx, { packageId, account: accountOfPurse(player.accountId, purse) });
    }
    // The audit log keeps its entries about the player, under the new id.
    await renameAuditSubject(tx, { packageId, kind: 'player', from: playerId, to: id });
    const target = { packageId, actor: operator, at: new Date() };
    await recordPlayerEvent(tx, target, 'player_erased', id);
    await announcePlayerChange(tx, packageId, playerId);
  });
}
