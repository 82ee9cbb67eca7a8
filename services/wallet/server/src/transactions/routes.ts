// user/update_balance (specification, section 4), user/transaction and user/transactions.
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { findCallerMovement, listMovements } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../packages/callers/authenticate.ts';
import { PlayerId } from '../players/player.ts';
import { getPlayerOfMovement } from '../players/queries.ts';
import { parseAmount } from '../wire/amount.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import { Cursor, formatCursor, Limit, parseCursor, parseLimit } from '../wire/paging.ts';
import { recordOtherRefusals } from './attempt.ts';
import {
  presentResult,
  presentStatementLine,
  presentTransaction,
  StatementLine,
  TransactionFields,
  TransactionId,
} from './transaction.ts';
import { answerUpdateBalance, type UpdateBalanceDeps } from './update-balance.ts';
import { updateBalanceSchema } from './update-balance-schema.ts';

export interface TransactionRouteDeps extends UpdateBalanceDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
}

export function registerTransactionRoutes(app: App, deps: TransactionRouteDeps): void {
  registerUpdateBalance(app, deps);
  registerTransaction(app, deps);
  registerTransactions(app, deps);
}

function registerUpdateBalance(app: App, deps: TransactionRouteDeps): void {
  const findPackageId = (request: FastifyRequest) => request.customerPackage?.id;
  app.post(
    '/api/v1/user/update_balance',
    {
      schema: updateBalanceSchema,
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'refused' }),
      onResponse: recordOtherRefusals({ ...deps, findPackageId }),
    },
    (request, reply) => {
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
      const responder = new RouterResponder(request, reply);
      answerUpdateBalance(deps, { customerPackage, update, responder });
    },
  );
}

function registerTransaction(app: App, deps: TransactionRouteDeps): void {
  app.get(
    '/api/v1/user/transaction',
    {
      schema: {
        tags: ['Transactions'],
        summary: 'Did my transfer land?',
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ transaction_id: TransactionId }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: named(
              'Transaction',
              Type.Object({
                ...TransactionFields,
                result: Type.Union([Type.Literal('applied'), Type.Literal('refused')]),
                code: Type.Optional(Type.String({ description: 'Why it was refused.' })),
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
      const { id: packageId, currency } = getPackage(request);
      const { transaction_id: transactionId } = request.query;
      const found = await findCallerMovement(deps.db, packageId, transactionId);
      if (!found) throw fail('transaction_not_found');
      const { playerId } = await getPlayerOfMovement(deps.db, packageId, found.movement);
      return {
        status: 'success' as const,
        data: {
          ...presentTransaction({ ...found, playerId, currency }),
          ...presentResult(found.movement),
        },
        request_id: request.id,
      };
    },
  );
}

const movementOf = <T>({ movement }: { movement: T }): T => movement;

function registerTransactions(app: App, deps: TransactionRouteDeps): void {
  app.get(
    '/api/v1/user/transactions',
    {
      schema: {
        tags: ['Transactions'],
        summary: "A player's statement, newest first",
        security: packageSecurity,
        headers: AuthHeaders,
        querystring: Type.Object({ player_id: PlayerId, limit: Limit, cursor: Cursor }),
        response: {
          200: Type.Object({
            status: Type.Literal('success'),
            data: Type.Object({
              player_id: Type.String(),
              transactions: Type.Array(StatementLine),
              next_cursor: Type.Union([Type.String(), Type.Null()]),
            }),
            request_id: Type.String(),
          }),
          ...errorAnswers,
        },
      },
      onRequest: deps.authenticate({ whenSuspended: 'served' }),
    },
    async (request) => {
      const { id: packageId, currency } = getPackage(request);
      const { player_id: playerId } = request.query;
      const limit = parseLimit(request.query.limit);
      const from = parseCursor(request.query.cursor, 'statement');
      const account = await deps.accounts.find(packageId, playerId);
      if (account === undefined) throw fail('player_not_found');
      const page = await listMovements(deps.db, {
        packageId,
        account,
        limit,
        from: from === undefined ? undefined : BigInt(from),
      });
      const rounds = await nameRounds(deps.db, packageId, page.movements.map(movementOf));
      return {
        status: 'success' as const,
        data: {
          player_id: playerId,
          transactions: page.movements.map((each) => presentStatementLine(each, currency, rounds)),
          next_cursor: formatCursor('statement', page.next?.toString()),
        },
        request_id: request.id,
      };
    },
  );
}
