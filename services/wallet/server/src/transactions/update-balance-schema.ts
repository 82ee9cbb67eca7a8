// The request and response schemas of user/update_balance.
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { purses } from '../ledger/rules/movement.ts';
import { AuthHeaders, packageSecurity } from '../packages/callers/authenticate.ts';
import { CreditAlert, PackageBalance } from '../packages/credit-alert.ts';
import { PlayerId } from '../players/player.ts';
import { Amount } from '../wire/amount.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import { TransactionFields, TransactionId } from './transaction.ts';

const UpdateBalanceBody = Type.Object({
  player_id: PlayerId,
  type: Type.Union([Type.Literal('credit'), Type.Literal('debit')]),
  amount: Amount,
  transaction_id: TransactionId,
  purse: Type.Optional(
    Type.Enum(purses, { description: '`cash` by default. `promo` is the promo balance of the player.' }),
  ),
  note: Type.Optional(Type.Union([PrintableText({ max: 255, description: 'Free text.' }), Type.Null()])),
});

const UpdateBalanceAnswer = Type.Object({
  status: Type.Literal('success'),
  data: named('BalanceUpdate', Type.Object({ ...TransactionFields, duplicate: Type.Boolean() })),
  package_balance: PackageBalance,
  credit_alert: CreditAlert,
  request_id: Type.String(),
});

export const updateBalanceSchema = {
  tags: ['Transactions'],
  summary: "Credit or debit a player's balance",
  description:
    'Each `transaction_id` is applied at most once; ids never expire. A repeat gets the first answer again.',
  security: packageSecurity,
  headers: AuthHeaders,
  body: UpdateBalanceBody,
  response: {
    200: UpdateBalanceAnswer,
    ...errorAnswers,
    402: ErrorAnswer,
    409: ErrorAnswer,
    422: ErrorAnswer,
  },
};
