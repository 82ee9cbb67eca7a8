// user/update_balance (specification, section 4), user/transaction and user/transactions.
import { answer, Nullable } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { RouterResponder } from '@counterfoil/kit/http/responder';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { findCallerMovement } from '../ledger/queries.ts';
import { accountOfPurse } from '../ledger/rules/movement.ts';
import { type Authenticate, callerRead, getPackage } from '../packages/callers/authenticate.ts';
import { PlayerId } from '../players/player.ts';
import { getPlayerOfMovement } from '../players/queries.ts';
import { parseAmount } from '../wire/amount.ts';
import { PageQuery, parseLimit, parseNumberCursor } from '../wire/paging.ts';
import { recordOtherRefusals } from './attempt.ts';
import { listStatement } from './queries.ts';
import {
  presentResult,
  presentTransaction,
  StatementLine,
  StatementPurse,
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
      const { body } = request;
      const update = {
        playerId: body.player_id,
        purse: body.purse ?? 'cash',
        type: body.type,
        amount: parseAmount(body.amount, { unit: customerPackage }),
        transactionId: body.transaction_id,
        note: body.note ?? '',
      };
      const responder = new RouterResponder(request, reply);
      answerUpdateBalance(deps, { customerPackage, update, responder });
    },
  );
}

const Transaction = named(
  'Transaction',
  Type.Object({
    ...TransactionFields,
    result: Type.Union([Type.Literal('applied'), Type.Literal('refused')]),
    code: Type.Optional(Type.String({ description: 'The reason of a refusal.' })),
  }),
);

function registerTransaction(app: App, deps: TransactionRouteDeps): void {
  const schema = {
    ...callerRead({ tag: 'Transactions', summary: 'Read a transfer by its id', data: Transaction }),
    querystring: Type.Object({ transaction_id: TransactionId }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/user/transaction', { schema, onRequest }, async (request) => {
    const owner = getPackage(request);
    const { id: packageId } = owner;
    const { transaction_id: transactionId } = request.query;
    const found = await findCallerMovement(deps.db, packageId, transactionId);
    if (!found) throw fail('transaction_not_found');
    const { playerId } = await getPlayerOfMovement(deps.db, packageId, found.movement);
    return answer(request, {
      ...presentTransaction({ ...found, playerId, unit: owner }),
      ...presentResult(found.movement),
    });
  });
}

const Statement = Type.Object({
  player_id: Type.String(),
  transactions: Type.Array(StatementLine),
  next_cursor: Nullable(Type.String()),
});

function registerTransactions(app: App, deps: TransactionRouteDeps): void {
  const summary = "A player's statement, newest first";
  const schema = {
    ...callerRead({ tag: 'Transactions', summary, data: Statement }),
    querystring: Type.Object({ player_id: PlayerId, purse: StatementPurse, ...PageQuery }),
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/user/transactions', { schema, onRequest }, async (request) => {
    const owner = getPackage(request);
    const { id: packageId } = owner;
    const { player_id: playerId, purse = 'cash' } = request.query;
    const limit = parseLimit(request.query.limit);
    const from = parseNumberCursor(request.query.cursor, 'statement');
    const found = await deps.accounts.find(packageId, playerId);
    if (found === undefined) throw fail('player_not_found');
    const account = accountOfPurse(found, purse);
    const wanted = { packageId, account, unit: owner, limit, from };
    return answer(request, { player_id: playerId, ...(await listStatement(deps.db, wanted)) });
  });
}
