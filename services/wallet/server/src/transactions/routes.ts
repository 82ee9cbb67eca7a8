// user/update_balance (specification, section 4), user/transaction and user/transactions.
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { findCallerMovement } from '../ledger/find-movement.ts';
import { listMovements } from '../ledger/list-movements.ts';
import { nameRounds } from '../ledger/read-rounds.ts';
import {
  type Authenticate,
  AuthHeaders,
  getPackage,
  packageSecurity,
} from '../packages/callers/authenticate.ts';
import { presentCredit } from '../packages/credit-alert.ts';
import type { AccountFinder } from '../players/find-account.ts';
import { getPlayerOfAccount } from '../players/get-player.ts';
import { PlayerId } from '../players/player.ts';
import { parseAmount } from '../wire/amount.ts';
import { Cursor, formatCursor, Limit, parseCursor, parseLimit } from '../wire/cursor.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import { createAttemptNotes } from './record-attempts-of-router.ts';
import {
  presentResult,
  presentStatementLine,
  presentTransaction,
  StatementLine,
  TransactionFields,
  TransactionId,
} from './transaction.ts';
import { updateBalance } from './update-balance.ts';
import { updateBalanceSchema } from './update-balance-schema.ts';

export interface TransactionRouteDeps {
  readonly db: Db;
  readonly authenticate: Authenticate;
  readonly ledger: Ledger;
  readonly accounts: AccountFinder;
  readonly attempts: AttemptRecorder;
  readonly now: () => Date;
}

export function registerTransactionRoutes(app: App, deps: TransactionRouteDeps): void {
  registerUpdateBalance(app, deps);
  registerTransaction(app, deps);
  registerTransactions(app, deps);
}

function registerUpdateBalance(app: App, deps: TransactionRouteDeps): void {
  const findPackageId = (request: FastifyRequest) => request.customerPackage?.id;
  const notes = createAttemptNotes({ ...deps, findPackageId });
  app.post(
    '/api/v1/user/update_balance',
    {
      schema: updateBalanceSchema,
      config: { carriesCredit: true },
      onRequest: deps.authenticate({ whenSuspended: 'refused' }),
      onResponse: notes.onResponse,
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
      const work = updateBalance(deps, customerPackage, update);
      const { movement, duplicate, credit } = await notes.around(request, work);
      const { playerId, note } = update;
      return {
        status: 'success' as const,
        data: { ...presentTransaction({ movement, playerId, note, currency }), duplicate },
        ...presentCredit(customerPackage, credit),
        request_id: request.id,
      };
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
      const { playerId } = await getPlayerOfAccount(deps.db, packageId, found.movement);
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
