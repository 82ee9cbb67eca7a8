// GET /api/v1/user/balance (specification, section 4).
import type { App } from '@counterfoil/kit/app';
import type { Db } from '@counterfoil/kit/db';
import { toJsonNumber } from '@counterfoil/kit/money';
import { ErrorAnswer } from '@counterfoil/kit/openapi';
import { Type } from 'typebox';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../customer-packages/authenticate.ts';
import { CreditAlert, PackageBalance, presentCredit } from '../customer-packages/credit.ts';
import { getBalance } from './get-balance.ts';
import { PlayerId, PlayerStatusAnswer } from './player.ts';

const BalanceAnswer = Type.Object({
  status: Type.Literal('success'),
  data: Type.Object({
    player_id: Type.String(),
    balance: Type.Number(),
    currency: Type.String(),
    status: PlayerStatusAnswer,
    updated_at: Type.String({ format: 'date-time' }),
  }),
  package_balance: PackageBalance,
  credit_alert: CreditAlert,
  request_id: Type.String(),
});

export function registerPlayerRoutes(app: App, deps: { db: Db; authenticate: Authenticate }): void {
  app.get(
    '/api/v1/user/balance',
    {
      schema: {
        tags: ['Players'],
        summary: "Read a player's wallet balance",
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ player_id: PlayerId }),
        response: {
          200: BalanceAnswer,
          400: ErrorAnswer,
          401: ErrorAnswer,
          403: ErrorAnswer,
          404: ErrorAnswer,
          429: ErrorAnswer,
          503: ErrorAnswer,
        },
      },
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const customerPackage = getPackage(request);
      const { currency } = customerPackage;
      const found = await getBalance(deps.db, customerPackage.id, request.query.player_id);
      return {
        status: 'success' as const,
        data: {
          player_id: found.player.playerId,
          balance: toJsonNumber(found.player.balance, currency),
          currency,
          status: found.player.status,
          updated_at: found.player.updatedAt.toISOString(),
        },
        ...presentCredit(customerPackage, found.credit),
        request_id: request.id,
      };
    },
  );
}
