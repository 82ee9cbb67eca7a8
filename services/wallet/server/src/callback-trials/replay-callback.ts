// Sends a callback of the journal again, to the sandbox of the package: no real money moves.

import type { App } from '@counterfoil/kit/http/app';
import { fail } from '../errors.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { transfer } from '../ledger/transfer.ts';
import { findCallbackAccess } from '../packages/credentials/callback-access.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { createPlayer } from '../players/create-player.ts';
import { type RebuiltCallback, rebuildCallback } from './rebuild-callback.ts';
import { sendCallback } from './send-callback.ts';

export interface TrialDeps extends Pick<ManagementDeps, 'db' | 'masterKey' | 'now'> {
  readonly app: App;
  readonly ledger: Ledger;
}

export async function replayCallback(
  deps: TrialDeps,
  wanted: { packageId: number; sequence: bigint; address: string },
) {
  const { db, masterKey } = deps;
  const { packageId, sequence, address } = wanted;
  const real = await getManagedPackage(db, packageId);
  const sandboxId = real.sandboxOf === undefined ? real.sandboxId : real.id;
  if (sandboxId === undefined) throw fail('no_sandbox');
  const rebuilt = await rebuildCallback(db, { packageId, sequence, unit: real });
  const now = deps.now();
  await givePlayer(deps, { sandboxId, sequence, rebuilt, now });
  const access = await findCallbackAccess(db, masterKey, { packageId: sandboxId, at: now });
  if (!access) throw fail('key_pair_not_live');
  const { body } = rebuilt;
  const { answer } = await sendCallback(deps.app, { access, body, fault: 'none', address, now });
  return { sandboxId, body, answer, original: rebuilt.result };
}

/**
 * Creates the player in the sandbox. A new player starts with the balance that the real player had before the
 * callback.
 */
async function givePlayer(
  { db, ledger }: TrialDeps,
  given: { sandboxId: number; sequence: bigint; rebuilt: RebuiltCallback; now: Date },
): Promise<void> {
  const { sandboxId: packageId, rebuilt, now } = given;
  const { player, created } = await createPlayer(db, { packageId, playerId: rebuilt.playerId }, now);
  if (!created || rebuilt.before <= 0n) return;
  await transfer(ledger, {
    packageId,
    overdraftLimit: 0n,
    account: player.accountId,
    type: 'credit',
    amount: rebuilt.before,
    transactionId: `replay-${given.sequence}-${player.accountId}`,
    note: 'Starting balance, copied from the original',
  });
}
