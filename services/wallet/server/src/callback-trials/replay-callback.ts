// Sends a callback of the journal once more, to the package's sandbox twin: no real money moves.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { transfer } from '../ledger/transfer.ts';
import { findCallbackAccess } from '../packages/credentials/callback-access.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { createPlayer } from '../players/create-player.ts';
import { type RebuiltCallback, rebuildCallback } from './rebuild-callback.ts';
import { sendCallback } from './send-callback.ts';

export interface TrialDeps {
  readonly app: App;
  readonly db: Db;
  readonly ledger: Ledger;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

export async function replayCallback(
  deps: TrialDeps,
  wanted: { packageId: number; sequence: bigint; address: string },
) {
  const { db, masterKey } = deps;
  const { packageId, sequence, address } = wanted;
  const real = await getManagedPackage(db, packageId);
  const twinId = real.sandboxOf === undefined ? real.sandboxId : real.id;
  if (twinId === undefined) throw fail('no_sandbox');
  const { currency } = real;
  const rebuilt = await rebuildCallback(db, { packageId, sequence, currency });
  const now = deps.now();
  await givePlayer(deps, { twinId, sequence, rebuilt, now });
  const access = await findCallbackAccess(db, masterKey, { packageId: twinId, at: now });
  if (!access) throw fail('key_pair_not_live');
  const { body } = rebuilt;
  const { answer } = await sendCallback(deps.app, { access, body, fault: 'none', address, now });
  return { twinId, body, answer, original: rebuilt.result };
}

/** A player whom the twin does not know yet begins with what the real one had at that time. */
async function givePlayer(
  { db, ledger }: TrialDeps,
  given: { twinId: number; sequence: bigint; rebuilt: RebuiltCallback; now: Date },
): Promise<void> {
  const { twinId: packageId, rebuilt, now } = given;
  const { player, created } = await createPlayer(
    db,
    { packageId, playerId: rebuilt.playerId },
    now,
  );
  if (!created || rebuilt.before <= 0n) return;
  await transfer(ledger, {
    packageId,
    overdraftLimit: 0n,
    account: player.accountId,
    type: 'credit',
    amount: rebuilt.before,
    transactionId: `replay-${given.sequence}-${player.accountId}`,
    note: 'Begins as in the original',
  });
}
