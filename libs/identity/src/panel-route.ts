// Schema parts that the panel routes of this library share.

import { Answer } from '@counterfoil/kit/http/answers';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { type Static, type TSchema, Type } from 'typebox';
import { Role } from './members/person.ts';
import type { Session } from './sessions/session.ts';

/** The schema parts of every panel route: tag, success envelope and error shape. */
export const panelRoute = <Data extends TSchema>(summary: string, data: Data) => ({
  tags: ['Panel'],
  summary,
  response: { 200: Answer(data), '4xx': ErrorAnswer },
});

/**
 * Marks a route as protected by `session`. Each service defines this security scheme in its OpenAPI document
 * as its session cookie.
 */
export const sessionSecurity = [{ session: [] }];

/**
 * The schema of a password. It limits only the length; `findPasswordProblem` checks the rules for new
 * passwords.
 */
export const Password = Type.String({ minLength: 1, maxLength: 1000 });

export const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits from the authenticator app, or a recovery code.',
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
  memberships: session.memberships.map(({ tenantId, role }) => ({ tenant_id: Number(tenantId), role })),
  second_factor: session.secondFactor,
  recovery_codes_left: session.recoveryCodesLeft,
});
