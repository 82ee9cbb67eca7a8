// A package's funding: top-ups and their reverse by administrators, and the history for all.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../../access-policy.ts';
import { fail } from '../../errors.ts';
import { listTopUps } from '../../ledger/list-top-ups.ts';
import { createTurns } from '../../serial-queue.ts';
import { Amount } from '../../wire/amount.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../../wire/paging.ts';
import { getManagedPackage } from '../get-managed-package.ts';
import { type ManagementDeps, targetOf } from '../package-target.ts';
import {
  presentTopUp,
  presentTopUpLine,
  TopUpFields,
  TopUpId,
  TopUpLine,
  type TopUpType,
  topUpTypes,
} from './top-up.ts';
import { topUpPackage } from './top-up-package.ts';

const params = Type.Object(PackageParams);

export function registerCreditManagement(
  app: App,
  policy: AccessPolicy,
  deps: ManagementDeps,
): void {
  const data = Type.Object({ top_ups: Type.Array(TopUpLine), next_cursor: NextCursor });
  const schema = {
    ...managed(policy, { summary: 'List top-ups and their reverses, newest first', data }),
    params,
    querystring: Type.Object(PageQuery),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/top-ups`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const page = readPage(request.query, 'top_ups');
    const { currency } = await getManagedPackage(deps.db, packageId);
    const rows = await listTopUps(deps.db, { packageId, ...page });
    return answer(request, {
      top_ups: rows.map((row) => presentTopUpLine({ ...row, currency })),
      ...presentNext(page, rows, (row) => row.movement.sequence),
    });
  });
  if (policy.isAdmin) registerTopUp(app, policy, deps);
}

function registerTopUp(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ ...TopUpFields, duplicate: Type.Boolean() });
  const description =
    'Once per `transaction_id`, for ever: a repeat answers as the first did, with `duplicate`.';
  const schema = {
    ...managed(policy, { summary: 'Top up a package, or take a top-up back', data, description }),
    params,
    body: shownWith(
      Type.Object({
        type: Type.Optional(Type.Enum([...topUpTypes], { description: 'top_up unless told.' })),
        amount: Amount,
        transaction_id: TopUpId,
        note: Type.Optional(PrintableText({ max: 255 })),
        reverse: Type.Optional(
          Type.Boolean({ description: 'true is another way to write `type: "top_up_reversal"`.' }),
        ),
      }),
      { not: contradiction },
    ),
  };
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const inTurn = createTurns({ maxWaiting: 1000 });
  app.post(`${policy.packagePath}/top-ups`, { schema, onRequest }, async (request) => {
    const { amount, transaction_id: transactionId, note = '' } = request.body;
    const type = readType(request.body);
    const wanted = { ...targetOf(deps, request), type, amount, transactionId, note };
    const { movement, currency, duplicate } = await inTurn(() => topUpPackage(deps.db, wanted));
    return answer(request, { ...presentTopUp({ movement, note, currency }), duplicate });
  });
}

const both = (type: TopUpType, reverse: boolean) => ({
  required: ['type', 'reverse'],
  properties: { type: { enum: [type] }, reverse: { enum: [reverse] } },
});
const contradiction = { anyOf: [both('top_up', true), both('top_up_reversal', false)] };

/** The command line says `--reverse`, so the API accepts that word too. */
function readType(given: { type?: TopUpType; reverse?: boolean }): TopUpType {
  const { type, reverse } = given;
  const byWord = reverse === true ? 'top_up_reversal' : 'top_up';
  if (type !== undefined && reverse !== undefined && type !== byWord) {
    throw fail('invalid_parameter', { errors: { reverse: ['contradicts the type.'] } });
  }
  return type ?? byWord;
}
