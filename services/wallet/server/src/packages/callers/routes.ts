// GET /api/v1/package: the caller's own package and its credit.
import { Answer, answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { getCredit } from '../../ledger/queries.ts';
import { Decimals } from '../package-settings.ts';
import { type Authenticate, callerOperation, getPackage } from './authenticate.ts';

const CallerPackage = named(
  'CallerPackage',
  Type.Object({
    uid: Type.String(),
    name: Type.String(),
    state: Type.String(),
    currency: Type.String(),
    decimals: Decimals,
    balance: Type.Number({ description: 'The prepaid credit.' }),
    overdraft_limit: Type.Number(),
    alert_threshold: Type.Number(),
    domains: Type.Array(Type.String()),
    sandbox: Type.Boolean({ description: 'Whether this is a sandbox, which has play money.' }),
  }),
);

export function registerPackageRoutes(app: App, deps: { db: Db; authenticate: Authenticate }): void {
  const summary = 'Read your package and its credit';
  const schema = callerOperation('Package', summary, Answer(CallerPackage));
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/package', { schema, onRequest }, async (request) => {
    const found = getPackage(request);
    const { id, uid, name, state, currency, decimals, sandbox } = found;
    const credit = await getCredit(deps.db, id);
    return answer(request, {
      uid,
      name,
      state,
      currency,
      decimals,
      balance: toJsonNumber(credit, found),
      overdraft_limit: toJsonNumber(found.overdraftLimit, found),
      alert_threshold: toJsonNumber(found.alertThreshold, found),
      domains: [...found.domains],
      sandbox,
    });
  });
}
