// A package's credit as its banner shows it: what is left, how alarming that is, how long it lasts.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { formatMinor, getDecimals } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../../access-policy.ts';
import { measureCreditUse } from '../../ledger/measure-credit-use.ts';
import { getManagedPackage } from '../get-managed-package.ts';
import type { ManagementDeps } from '../package-target.ts';
import { presentCredit } from './credit.ts';
import { CreditAnswer, findRunwayHours } from './runway.ts';

export function registerRunway(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const schema = {
    ...managed(policy, { summary: "How long will a package's credit last?", data: CreditAnswer }),
    params: Type.Object(PackageParams),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/credit`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const found = await getManagedPackage(deps.db, packageId);
    const { currency, credit, overdraftLimit, state } = found;
    const pace = await measureCreditUse(deps.db, packageId, deps.now());
    const hours = findRunwayHours(credit + overdraftLimit, pace);
    const { package_balance: balance, credit_alert } = presentCredit(found, credit);
    return answer(request, {
      currency,
      decimals: getDecimals(currency),
      state,
      sandbox: found.sandboxOf !== undefined,
      balance,
      credit_alert,
      runway:
        hours === undefined
          ? null
          : {
              hours,
              spent: formatMinor(pace.spent, currency),
              over_hours: Math.round(pace.overMs / 360_000) / 10,
            },
    });
  });
}
