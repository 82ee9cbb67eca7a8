// A provider's callback and its answer (contract, POST game/callback).
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

/** The name of the upstream. It is part of the hash of every id, so it must never change. */
export const provider = 'upstream';

interface Played {
  readonly playerId: string;
  readonly gameId: string | undefined;
  readonly roundId: string | undefined;
  readonly roundFinished: boolean;
  readonly sessionId: string | undefined;
}

interface Transacted extends Played {
  readonly transactionId: string;
}

export type Callback =
  | (Transacted & { readonly action: 'bet'; readonly amount: bigint })
  | (Transacted & {
      readonly action: 'win';
      readonly amount: bigint;
      readonly reference: string | undefined;
    })
  | (Transacted & {
      readonly action: 'bet_win';
      readonly betAmount: bigint;
      readonly winAmount: bigint;
    })
  | (Transacted & { readonly action: 'rollback'; readonly reference: string })
  | (Played & {
      readonly action: 'end_round';
      readonly transactionId: string | undefined;
      readonly roundId: string;
    })
  | (Played & { readonly action: 'balance'; readonly transactionId: string | undefined });

export type PlayCallback = Exclude<Callback, { action: 'balance' }>;

export const takesMoney = (action: unknown): boolean => action === 'bet' || action === 'bet_win';

const resultNames = [
  'applied',
  'recorded',
  'late',
  'rolled_back',
  'already_rolled_back',
  'tombstoned',
  'nothing_to_roll_back',
  'closed',
] as const;
export type CallbackResult = (typeof resultNames)[number];

export interface CallbackAnswer {
  readonly balance: bigint;
  readonly credit: bigint;
  readonly duplicate: boolean;
  /** The result is undefined for the action `balance`, which moves no money. */
  readonly result: CallbackResult | undefined;
}

export const CallbackData = named(
  'CallbackResult',
  Type.Object({
    transaction_id: Nullable(Type.String()),
    player_id: Type.String(),
    balance: Type.Number({
      description: 'The balance after the operation. A repeat gets the balance of the first answer.',
    }),
    currency: Type.String(),
    duplicate: Type.Boolean({ description: 'True if the same callback was answered before.' }),
    result: Nullable(Type.Enum([...resultNames], { description: 'The outcome; null for `balance`.' })),
  }),
);
