// Before a call, puts a test player into the state that the player's id names: existing, blocked, empty or
// full.
import { randomUUID } from 'node:crypto';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { maxBalance } from '../ledger/rules/movement.ts';
import { topUp, transfer } from '../ledger/transfer.ts';
import { explainFailure } from '../packages/credit/credit-now.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { GetBalance } from '../players/balance.ts';
import { createPlayer } from '../players/create-player.ts';
import type { AccountFinder } from '../players/find-account.ts';
import type { StatusFinder } from '../players/find-status.ts';
import { setStatus } from '../players/set-status.ts';
import { testPlayers } from './test-ids.ts';

export interface PrepareDeps {
  readonly getBalance: GetBalance;
  readonly db: Db;
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly statuses: StatusFinder;
  readonly now: () => Date;
}

/** The parts of a call that determine the state into which its test player is put. */
export interface TestCall {
  readonly package: CustomerPackage;
  readonly playerId: string;
  readonly takes: boolean;
  readonly gives: boolean;
}

/**
 * Creates the test player if necessary, and blocks `test_blocked`. Empties the account of `test_insufficient`
 * before a debit or bet, and fills the account of `test_ceiling` before a credit or win. Both are done by
 * ordinary movements, so that the ledger itself refuses the call. The ledger stores this refusal, so a repeat
 * of the call gets the same refusal.
 */
export async function prepareTestPlayer(deps: PrepareDeps, call: TestCall): Promise<void> {
  const { playerId } = call;
  const { id: packageId } = call.package;
  if ((await deps.accounts.find(packageId, playerId)) === undefined) {
    await createPlayer(deps.db, { packageId, playerId, name: 'Sandbox' }, deps.now());
  }
  if (playerId === testPlayers.blocked) await block(deps, { packageId, playerId });
  const isEmptied = playerId === testPlayers.insufficient && call.takes;
  const isFilled = playerId === testPlayers.ceiling && call.gives;
  if (!isEmptied && !isFilled) return;
  const { player, credit } = await deps.getBalance(packageId, playerId);
  const { balance } = player;
  const account = (await deps.accounts.find(packageId, playerId)) as bigint;
  const move = isEmptied
    ? empty(deps, { call, account, balance })
    : fill(deps, { call, account, missing: maxBalance - balance, credit });
  await move.catch(explainFailure);
}

async function block(deps: PrepareDeps, player: { packageId: number; playerId: string }) {
  const standing = await deps.statuses.find(player.packageId, player.playerId);
  if (standing?.status !== 'blocked') await setStatus(deps, { ...player, status: 'blocked' });
}

const orderOf = ({ package: { id: packageId, overdraftLimit } }: TestCall) => ({
  packageId,
  overdraftLimit,
  transactionId: `sandbox-${randomUUID()}`,
  note: 'By the sandbox',
});

async function empty(
  { ledger }: PrepareDeps,
  { call, account, balance }: { call: TestCall; account: bigint; balance: bigint },
): Promise<void> {
  if (balance <= 0n) return;
  await transfer(ledger, { ...orderOf(call), account, type: 'debit', amount: balance });
}

/**
 * Fills the player's account up to the balance limit. If the package credit is too low for this, one top-up
 * adds the lacking amount before the transfer, and another top-up restores the credit after the transfer. A
 * single top-up could exceed the balance limit, which applies to the credit account too.
 */
async function fill(
  { ledger }: PrepareDeps,
  given: { call: TestCall; account: bigint; missing: bigint; credit: bigint },
): Promise<void> {
  const { call, account, missing, credit } = given;
  if (missing <= 0n) return;
  const fund = (amount: bigint) => topUp(ledger, { ...orderOf(call), type: 'top_up', amount });
  const lacking = missing - credit;
  if (lacking > 0n) await fund(lacking);
  await transfer(ledger, { ...orderOf(call), account, type: 'credit', amount: missing });
  if (lacking > 0n && credit > 0n) await fund(credit);
}
