// The credit of a package: balance and runway, top-ups and their history.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute } from '../../access-policy.ts';
import { fail } from '../../errors.ts';
import { listTopUps, measureCreditUse } from '../../ledger/queries.ts';
import { createSerialQueue } from '../../serial-queue.ts';
import { Amount } from '../../wire/amount.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../../wire/paging.ts';
import { presentCredit } from '../credit-alert.ts';
import { type ManagementDeps, targetOf } from '../lock-package.ts';
import { getManagedPackage } from '../queries.ts';
import { CreditAnswer, presentRunway } from './runway.ts';
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

export function registerCreditManagement(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ top_ups: Type.Array(TopUpLine), next_cursor: NextCursor });
  const summary = 'List top-ups and their reversals, newest first';
  const querystring = Type.Object(PageQuery);
  const route = packageRoute(policy, { role: 'member', summary, data }, { querystring });
  app.get(`${policy.packagePath}/top-ups`, route, async (request) => {
    const { packageId } = getHome(request);
    const page = readPage(request.query, 'top_ups');
    const owner = await getManagedPackage(deps.db, packageId);
    const rows = await listTopUps(deps.db, { packageId, ...page });
    return answer(request, {
      top_ups: rows.map((row) => presentTopUpLine({ ...row, unit: owner })),
      ...presentNext(page, rows, (row) => row.movement.sequence),
    });
  });
  if (policy.isAdmin) registerTopUp(app, policy, deps);
}

function registerTopUp(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ ...TopUpFields, duplicate: Type.Boolean() });
  const shown = {
    role: 'owner',
    summary: 'Top up a package, or reverse a top-up',
    data,
    description:
      'Each `transaction_id` is applied at most once; a repeat gets the first answer, with `duplicate`.',
  } as const;
  const body = shownWith(
    Type.Object({
      type: Type.Optional(Type.Enum(topUpTypes, { description: '`top_up` by default.' })),
      amount: Amount,
      transaction_id: TopUpId,
      note: Type.Optional(PrintableText({ max: 255 })),
      reverse: Type.Optional(
        Type.Boolean({ description: '`true` is another way to write `type: "top_up_reversal"`.' }),
      ),
    }),
    { not: contradiction },
  );
  const enqueue = createSerialQueue({ maxWaiting: 1000 });
  const route = packageRoute(policy, shown, { body });
  app.post(`${policy.packagePath}/top-ups`, route, async (request) => {
    const { amount, transaction_id: transactionId, note = '' } = request.body;
    const type = readType(request.body);
    const wanted = { ...targetOf(deps, request), type, amount, transactionId, note };
    const { movement, unit, duplicate } = await enqueue(() => topUpPackage(deps.db, wanted));
    return answer(request, { ...presentTopUp({ movement, note, unit }), duplicate });
  });
}

const both = (type: TopUpType, reverse: boolean) => ({
  required: ['type', 'reverse'],
  properties: { type: { enum: [type] }, reverse: { enum: [reverse] } },
});

const contradiction = { anyOf: [both('top_up', true), both('top_up_reversal', false)] };

/** The API accepts `reverse` in addition to `type`, because the command line has the option `--reverse`. */
function readType(given: { type?: TopUpType; reverse?: boolean }): TopUpType {
  const { type, reverse } = given;
  const byWord = reverse === true ? 'top_up_reversal' : 'top_up';
  if (type !== undefined && reverse !== undefined && type !== byWord) {
    throw fail('invalid_parameter', { errors: { reverse: ['contradicts the type.'] } });
  }
  return type ?? byWord;
}

export function registerRunway(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const summary = "Read a package's credit and how long it will last";
  const route = packageRoute(policy, { role: 'member', summary, data: CreditAnswer });
  app.get(`${policy.packagePath}/credit`, route, async (request) => {
    const { packageId } = getHome(request);
    const found = await getManagedPackage(deps.db, packageId);
    const { currency, decimals, credit, overdraftLimit, state } = found;
    const pace = await measureCreditUse(deps.db, packageId, deps.now());
    const { package_balance: balance, credit_alert } = presentCredit(found, credit);
    return answer(request, {
      currency,
      decimals,
      state,
      sandbox: found.sandboxOf !== undefined,
      balance,
      credit_alert,
      runway: presentRunway(credit + overdraftLimit, pace, found),
    });
  });
}
