// The envelope of the panel's answers, and the parts that several routes share.

import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { type Static, type TSchema, Type } from 'typebox';
import { Role } from './members/person.ts';
import type { Session } from './sessions/session.ts';

export const Answer = <Data extends TSchema>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data, request_id: Type.String() });

/** Schema parts that all routes of this folder have: tag, and the one error shape. */
export const panelRoute = <Data extends TSchema>(summary: string, data: Data) => ({
  tags: ['Panel'],
  summary,
  response: { 200: Answer(data), '4xx': ErrorAnswer },
});

/** Names the cookie in the OpenAPI document; services list it among their security schemes. */
export const sessionSecurity = [{ session: [] }];

export const answer = <Data>(request: { id: string }, data: Data) => ({
  status: 'success' as const,
  data,
  request_id: request.id,
});

export const Nothing = Type.Object({});

/** Not a new password, so no rule but a bound. */
export const Password = Type.String({ minLength: 1, maxLength: 1000 });

export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the authenticator app, or a recovery code.',
});

export const Me = named(
  'SignedInPerson',
  Type.Object({
    person: Type.Object({ id: Type.Integer(), email: Type.String(), name: Type.String() }),
    memberships: Type.Array(Type.Object({ tenant_id: Type.Integer(), role: Role })),
    second_factor: Type.Boolean(),
    recovery_codes_left: Type.Integer(),
  }),
);

export const presentMe = (session: Session): Static<typeof Me> => ({
  person: { id: Number(session.personId), email: session.email, name: session.name },
  memberships: session.memberships.map(({ tenantId, role }) => ({
    tenant_id: Number(tenantId),
    role,
  })),
  second_factor: session.secondFactor,
  recovery_codes_left: session.recoveryCodesLeft,
});

export const presentTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
