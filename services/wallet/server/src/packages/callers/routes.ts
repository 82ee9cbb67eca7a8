// GET /api/v1/package: the caller's own package and its credit.
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { getCredit } from '../../ledger/queries.ts';
import { errorAnswers } from '../../wire/error-answers.ts';
import { type Authenticate, AuthHeaders, getPackage, packageSecurity } from './authenticate.ts';

export function registerPackageRoutes(
  app: App,
  deps: { db: Db; authenticate: Authenticate },
): void {
  app.get(
    '/api/v1/package',
    {
      schema: {
        tags: ['Package'],
        summary: 'Read your package and its credit',
        security: packageSecurity,
        headers: AuthHeaders,
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: named(
              'CallerPackage',
              Type.Object({
                uid: Type.String(),
                name: Type.String(),
                state: Type.String(),
                currency: Type.String(),
                balance: Type.Number({ description: 'The prepaid credit.' }),
                overdraft_limit: Type.Number(),
                alert_threshold: Type.Number(),
                domains: Type.Array(Type.String()),
                sandbox: Type.Boolean({ description: 'A twin for tests, with play money.' }),
              }),
            ),
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const found = getPackage(request);
      const { currency } = found;
      const credit = await getCredit(deps.db, found.id);
      return {
        status: 'success' as const,
        data: {
          uid: found.uid,
          name: found.name,
          state: found.state,
          currency,
          balance: toJsonNumber(credit, currency),
          overdraft_limit: toJsonNumber(found.overdraftLimit, currency),
          alert_threshold: toJsonNumber(found.alertThreshold, currency),
          domains: [...found.domains],
          sandbox: found.sandbox,
        },
        request_id: request.id,
      };
    },
  );
}
