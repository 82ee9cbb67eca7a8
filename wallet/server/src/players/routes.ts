// user/create, user/balance and user/update_balance (specification, section 4).
import type { App } from '@counterfoil/kit/app';
import type { Db } from '@counterfoil/kit/db';
import { toJsonNumber } from '@counterfoil/kit/money';
import { ErrorAnswer } from '@counterfoil/kit/openapi';
import { PrintableText } from '@counterfoil/kit/text';
import { Type } from 'typebox';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../customer-packages/authenticate.ts';
import { CreditAlert, PackageBalance, presentCredit } from '../customer-packages/credit.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Amount, parseAmount } from './amount.ts';
import type { AccountFinder } from './find-account.ts';
import { getBalance } from './get-balance.ts';
import { PlayerId, PlayerStatusAnswer } from './player.ts';
import { presentTransaction, TransactionFields, TransactionId } from './transaction.ts';
import { updateBalance } from './update-balance.ts';

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

const UpdateAnswer = Type.Object({
  status: Type.Literal('success'),
  data: Type.Object({ ...TransactionFields, duplicate: Type.Boolean() }),
  package_balance: PackageBalance,
  credit_alert: CreditAlert,
  request_id: Type.String(),
});

const errorAnswers = {
  400: ErrorAnswer,
  401: ErrorAnswer,
  403: ErrorAnswer,
  404: ErrorAnswer,
  429: ErrorAnswer,
  503: ErrorAnswer,
};

export interface PlayerRouteDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly now: () => Date;
}

export function registerPlayerRoutes(app: App, deps: PlayerRouteDeps): void {
  registerBalance(app, deps);
  registerUpdateBalance(app, deps);
}

function registerUpdateBalance(app: App, deps: PlayerRouteDeps): void {
  app.post(
    '/api/v1/user/update_balance',
    {
      schema: {
        tags: ['Players'],
        summary: "Credit or debit a player's balance",
        security: packageSecurity,
        headers: AuthHeaders,
        body: Type.Object({
          player_id: PlayerId,
          type: Type.Union([Type.Literal('credit'), Type.Literal('debit')]),
          amount: Amount,
          transaction_id: TransactionId,
          note: Type.Optional(Type.Union([PrintableText({ max: 255 }), Type.Null()])),
        }),
        response: {
          200: UpdateAnswer,
          ...errorAnswers,
          402: ErrorAnswer,
          409: ErrorAnswer,
          422: ErrorAnswer,
        },
      },
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'refused' }),
    },
    async (request) => {
      const customerPackage = getPackage(request);
      const { currency } = customerPackage;
      const { body } = request;
      const update = {
        playerId: body.player_id,
        type: body.type,
        amount: parseAmount(body.amount, { currency }),
        transactionId: body.transaction_id,
        note: body.note ?? '',
      };
      const { movement, duplicate, credit } = await updateBalance(deps, customerPackage, update);
      return {
        status: 'success' as const,
        data: { ...presentTransaction({ movement, currency, ...update }), duplicate },
        ...presentCredit(customerPackage, credit),
        request_id: request.id,
      };
    },
  );
}

function registerBalance(app: App, deps: PlayerRouteDeps): void {
  app.get(
    '/api/v1/user/balance',
    {
      schema: {
        tags: ['Players'],
        summary: "Read a player's wallet balance",
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ player_id: PlayerId }),
        response: { 200: BalanceAnswer, ...errorAnswers },
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
