// The registration of a package at the upstream: whether it is up to date, and if not, the reason.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

export interface RegistrationState {
  readonly isPending: boolean;
  readonly registeredAt: Date | undefined;
  readonly attempts: number;
  readonly nextTryAt: Date | undefined;
  readonly lastError: string | undefined;
}

const timeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const RegistrationAnswer = named(
  'Registration',
  Type.Object({
    pending: Type.Boolean({ description: 'Whether a change has not reached the provider yet.' }),
    registered_at: timeOrNull,
    attempts: Type.Integer({ description: 'Failed attempts since the last registration.' }),
    next_try_at: timeOrNull,
    last_error: Type.Union([Type.String(), Type.Null()]),
    callback_url: Type.String({
      description: 'The address to which the provider sends the callbacks of all packages.',
      examples: ['https://wallet.example/api/v1/game/callback'],
    }),
  }),
);

export const writeCallbackUrl = (publicUrl: string): string => `${publicUrl}/api/v1/game/callback`;

/** A package that was never approved has no registration. */
export const presentRegistration = (state: RegistrationState | undefined, callbackUrl: string) => ({
  pending: state?.isPending ?? false,
  registered_at: state?.registeredAt?.toISOString() ?? null,
  attempts: state?.attempts ?? 0,
  next_try_at: state?.nextTryAt?.toISOString() ?? null,
  last_error: state?.lastError ?? null,
  callback_url: callbackUrl,
});
