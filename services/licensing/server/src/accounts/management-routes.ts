// PUT …/account/balance, for programs with a key and for people with a session.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { Amount } from '../wire/input.ts';
import { setBalance } from './set-balance.ts';

export function registerAccountManagement(app: App, policy: AccessPolicy, { db, now }: ManagementDeps): void {
  const data = Type.Object({ balance: Type.Number(), currency: Type.String() });
  const options = managed(
    policy,
    { scope: 'purchases:write', role: 'owner', tag: 'Account', summary: "Set the account's balance", data },
    { body: Type.Object({ balance: Amount(), currency: Type.Optional(Type.String()) }) },
  );
  app.put(`${policy.prefix}/account/balance`, options, async (request) => {
    const caller = policy.callerOf(request);
    const { balance, currency } = request.body;
    const account = await db.transaction((tx) => setBalance(tx, { caller, balance, currency, now: now() }));
    const shown = toJsonNumber(account.balanceMinor, account.currency);
    return answer(request, { balance: shown, currency: account.currency });
  });
}
