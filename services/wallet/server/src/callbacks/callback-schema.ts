// The request and response schemas of game/callback.
import { amountOrNullForm, neededFor } from '@counterfoil/kit/http/openapi/forms';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { named, shownAs, shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { AuthHeaders, packageSecurity } from '../packages/callers/authenticate.ts';
import { CreditAlert, PackageBalance } from '../packages/credit-alert.ts';
import { PlayerId } from '../players/player.ts';
import { errorAnswers } from '../wire/error-answers.ts';
import { CallbackData } from './callback.ts';

/** Providers send null for fields that they leave out. */
const OptionalText = (description: string) =>
  Type.Optional(Type.Union([PrintableText({ min: 1, max: 128, description }), Type.Null()]));

/**
 * Accepts any JSON value. A wrong amount must get the error `invalid_amount`, which a schema cannot report.
 */
const CallbackAmount = (description: string) =>
  Type.Optional(
    shownAs(
      Type.Unsafe<unknown>({
        description:
          `${description} A JSON number or a plain decimal string of the currency's main unit, ` +
          'zero or more.',
        examples: [1.5, '1.50'],
      }),
      amountOrNullForm,
    ),
  );

export const actions = [
  'bet',
  'win',
  'bet_win',
  'rollback',
  'refund',
  'cancel',
  'balance',
  'end_round',
] as const;

const transactions = ['bet', 'win', 'bet_win', 'rollback', 'refund', 'cancel'];

const CallbackBody = named(
  'Callback',
  shownWith(
    Type.Object({
      action: Type.Enum([...actions], { description: '`refund` and `cancel` mean `rollback`.' }),
      player_id: PlayerId,
      transaction_id: OptionalText(
        "The provider's identifier. Each leg (bet, win, rollback) of it is applied at most once. " +
          'Ids never expire. Required except for `balance` and `end_round`.',
      ),
      amount: CallbackAmount('Required for `bet` and `win`.'),
      bet_amount: CallbackAmount('Required for `bet_win`.'),
      win_amount: CallbackAmount('Required for `bet_win`.'),
      currency: OptionalText("The package's currency."),
      game_id: OptionalText('The game that the callback belongs to.'),
      round_id: OptionalText('Groups the bets and wins of one play. Required for `end_round`.'),
      reference_transaction_id: OptionalText(
        'The `transaction_id` of the bet that is settled or rolled back. Required for `rollback`.',
      ),
      round_finished: Type.Optional(
        Type.Union([Type.Boolean({ description: 'Closes the round.' }), Type.Null()]),
      ),
      session_id: OptionalText(
        'The session that the launch returned. A bet with a session is accepted only until the session ends.',
      ),
    }),
    {
      allOf: [
        neededFor(['action', transactions], ['transaction_id']),
        neededFor(['action', ['bet', 'win']], ['amount']),
        neededFor(['action', ['bet_win']], ['bet_amount', 'win_amount']),
        neededFor(['action', ['rollback', 'refund', 'cancel']], ['reference_transaction_id']),
        neededFor(['action', ['end_round']], ['round_id']),
      ],
    },
  ),
);
export type CallbackBody = Static<typeof CallbackBody>;

const CallbackAnswer = Type.Object({
  status: Type.Literal('success'),
  data: CallbackData,
  balance: Type.Number({ description: 'Equal to `data.balance`; providers read it here.' }),
  package_balance: PackageBalance,
  credit_alert: CreditAlert,
  request_id: Type.String(),
});

export const callbackSchema = {
  tags: ['Callbacks'],
  summary: 'Receive a bet, a win, a rollback or the end of a round',
  description:
    'The provider authenticates with a callback pair or a caller pair. A `transaction_id` moves money ' +
    'at most once per leg, and ids never expire:\na repeat gets the first answer again, with `duplicate`. ' +
    'Wins and rollbacks are not refused because of a session, a blocked player or a lack of credit.\n' +
    "If the package's callback security is `signed`, body and answer are signed in `X-Signature`. If it " +
    'is `encrypted`, both are\na JWE of type `application/jose`.',
  security: packageSecurity,
  headers: Type.Object({
    ...AuthHeaders.properties,
    'x-signature': Type.Optional(
      Type.String({ description: '`t=<unix seconds>,v1=<hex>`, if callbacks are signed.' }),
    ),
  }),
  body: CallbackBody,
  response: {
    200: CallbackAnswer,
    ...errorAnswers,
    409: ErrorAnswer,
    422: ErrorAnswer,
  },
};
