// Sets the account's balance, a stored amount that sales and refunds do not change.

import { formatMinor, parseMinor } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refuseField } from '../wire/refusals.ts';
import type { Account } from './account.ts';
import { lockAccount, saveAccount } from './store.ts';

/** The balance may be negative, for example after a refund of money that was already paid out. */
function readBalance(balance: string | number, currency: string): bigint {
  const text = String(balance);
  const size = parseMinor(text.replace(/^-/, ''), currency);
  if (size === undefined) throw refuseField('balance', `must be an exact amount in ${currency}.`);
  return text.startsWith('-') ? -size : size;
}

export async function setBalance(
  tx: Tx,
  given: { caller: Caller; balance: string | number; currency: string | undefined; now: Date },
): Promise<Account> {
  const { workspaceId } = given.caller;
  const before = await lockAccount(tx, workspaceId);
  const { currency } = before;
  if (given.currency !== undefined && given.currency !== currency)
    throw refuseField('currency', `must be ${currency}.`);
  const balanceMinor = readBalance(given.balance, currency);
  if (balanceMinor === before.balanceMinor) return before;
  const after = { ...before, balanceMinor };
  await saveAccount(tx, after);
  const subject = { kind: 'account', id: String(workspaceId) };
  const from = formatMinor(before.balanceMinor, currency);
  const details = { currency, from, to: formatMinor(balanceMinor, currency) };
  await recordAudit(tx, { ...given.caller, at: given.now, action: 'balance_set', subject, details });
  return after;
}
