// Management routes: a player's statement, and for owners a credit or debit by hand.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import {
  type AccessPolicy,
  findPackageId,
  getHome,
  getPrincipal,
  managed,
  PackageParams,
} from '../access-policy.ts';
import { accountOfPurse, purses } from '../ledger/rules/movement.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { PlayerId } from '../players/player.ts';
import { getAccount } from '../players/queries.ts';
import { createSerialQueue } from '../serial-queue.ts';
import { Amount } from '../wire/amount.ts';
import { NextCursor, PageQuery, parseLimit, parseNumberCursor } from '../wire/paging.ts';
import { adjustBalance } from './adjust-balance.ts';
import { recordOtherRefusals, recordRepeat } from './attempt.ts';
import { listStatement } from './queries.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import {
  presentTransaction,
  StatementLine,
  StatementPurse,
  TransactionFields,
  TransactionId,
} from './transaction.ts';

interface Deps {
  readonly db: Db;
  readonly now: () => Date;
  readonly attempts: AttemptRecorder;
}

const params = Type.Object(PackageParams);

export function registerTransactionManagement(app: App, policy: AccessPolicy, deps: Deps): void {
  registerStatement(app, policy, deps);
  if (policy.isPanel) registerAdjustment(app, policy, deps);
}

function registerStatement(app: App, policy: AccessPolicy, { db }: Deps): void {
  const data = Type.Object({ transactions: Type.Array(StatementLine), next_cursor: NextCursor });
  const schema = {
    ...managed(policy, { summary: "A player's statement, newest first", data }),
    params,
    querystring: Type.Object({ ...PageQuery, player_id: PlayerId, purse: StatementPurse }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/player/statement`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const limit = parseLimit(request.query.limit);
    const from = parseNumberCursor(request.query.cursor, 'statement');
    const owner = await getManagedPackage(db, packageId);
    const { player_id: playerId, purse = 'cash' } = request.query;
    const account = accountOfPurse(await getAccount(db, packageId, playerId), purse);
    const wanted = { packageId, account, unit: owner, limit, from };
    return answer(request, await listStatement(db, wanted));
  });
}

function registerAdjustment(app: App, policy: AccessPolicy, { db, now, attempts }: Deps): void {
  const schema = {
    ...managed(policy, {
      summary: 'Credit or debit a player by hand',
      description:
        'Like `user/update_balance`, with an entry in the audit log. Each `transaction_id` is applied at ' +
        'most once.',
      data: Type.Object({ ...TransactionFields, duplicate: Type.Boolean() }),
    }),
    params,
    body: Type.Object({
      player_id: PlayerId,
      type: Type.Enum(['credit', 'debit']),
      amount: Amount,
      transaction_id: TransactionId,
      note: Type.Optional(PrintableText({ max: 255 })),
      purse: Type.Optional(
        Type.Enum(purses, { description: '`cash` by default. `promo` is the promo balance of the player.' }),
      ),
    }),
  };
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const enqueue = createSerialQueue({ maxWaiting: 100 });
  const onResponse = recordOtherRefusals({ attempts, now, findPackageId });
  const options = { schema, onRequest, onResponse };
  app.post(`${policy.packagePath}/player/adjust`, options, async (request) => {
    const { packageId } = getHome(request);
    const { player_id: playerId, type, amount, transaction_id: transactionId } = request.body;
    const { note = '', purse = 'cash' } = request.body;
    const target = { packageId, actor: getPrincipal(request).actor, at: now() };
    const wanted = { ...target, playerId, type, amount, transactionId, note, purse };
    const { movement, duplicate, unit } = await enqueue(() => adjustBalance(db, wanted));
    if (duplicate) {
      const { id: requestId, ip: address } = request;
      const attempt = { packageId, requestId, address, transactionId, playerId, type };
      recordRepeat({ attempts, now }, attempt, movement.result);
    }
    const shown = presentTransaction({ movement, playerId, note, unit });
    return answer(request, { ...shown, duplicate });
  });
}
