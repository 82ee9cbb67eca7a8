// A player's statement behind each door, and for owners a credit or debit by hand.

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
import { listMovements } from '../ledger/list-movements.ts';
import { nameRounds } from '../ledger/read-rounds.ts';
import { getManagedPackage } from '../packages/get-managed-package.ts';
import { getAccount } from '../players/get-account.ts';
import { PlayerId } from '../players/player.ts';
import { createTurns } from '../serial-queue.ts';
import { Amount } from '../wire/amount.ts';
import { formatCursor, NextCursor, PageQuery, parseCursor, parseLimit } from '../wire/paging.ts';
import { adjustBalance } from './adjust-balance.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import { createAttemptNotes } from './record-attempts-of-router.ts';
import {
  presentStatementLine,
  presentTransaction,
  StatementLine,
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
    querystring: Type.Object({ ...PageQuery, player_id: PlayerId }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/player/statement`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const limit = parseLimit(request.query.limit);
    const place = parseCursor(request.query.cursor, 'statement');
    const from = place === undefined ? undefined : BigInt(place);
    const { currency } = await getManagedPackage(db, packageId);
    const account = await getAccount(db, packageId, request.query.player_id);
    const page = await listMovements(db, { packageId, account, limit, from });
    const movements = page.movements.map(({ movement }) => movement);
    const rounds = await nameRounds(db, packageId, movements);
    return answer(request, {
      transactions: page.movements.map((each) => presentStatementLine(each, currency, rounds)),
      next_cursor: formatCursor('statement', page.next?.toString()),
    });
  });
}

function registerAdjustment(app: App, policy: AccessPolicy, { db, now, attempts }: Deps): void {
  const schema = {
    ...managed(policy, {
      summary: 'Credit or debit a player by hand',
      description: 'Once per `transaction_id`, as `user/update_balance`; noted in the audit log.',
      data: Type.Object({ ...TransactionFields, duplicate: Type.Boolean() }),
    }),
    params,
    body: Type.Object({
      player_id: PlayerId,
      type: Type.Enum(['credit', 'debit']),
      amount: Amount,
      transaction_id: TransactionId,
      note: Type.Optional(PrintableText({ max: 255 })),
    }),
  };
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const inTurn = createTurns({ maxWaiting: 100 });
  const notes = createAttemptNotes({ attempts, now, findPackageId });
  const { onResponse } = notes;
  const options = { schema, onRequest, onResponse };
  app.post(`${policy.packagePath}/player/adjust`, options, async (request) => {
    const { packageId } = getHome(request);
    const { player_id: playerId, type, amount, transaction_id: id, note = '' } = request.body;
    const target = { packageId, actor: getPrincipal(request).actor, at: now() };
    const wanted = { ...target, playerId, type, amount, transactionId: id, note };
    const work = inTurn(() => adjustBalance(db, wanted));
    const { movement, duplicate, currency } = await notes.around(request, work);
    const shown = presentTransaction({ movement, playerId, note, currency });
    return answer(request, { ...shown, duplicate });
  });
}
