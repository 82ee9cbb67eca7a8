// The parts that the audit logs of both services share: the shape of an entry, and sign-in events.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { type TProperties, type TSchema, Type } from 'typebox';
import { listMembers, listMemberships } from './members/queries.ts';
import type { SignInEvent } from './sessions/sign-in.ts';

export interface AuditSubject {
  readonly kind: string;
  readonly id: string;
}

export const AuditAction = Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$' }));

/** The schema of an entry. `own` contains the additional fields of a service, which follow the id. */
export const AuditEntry = <
  const Kinds extends readonly string[],
  ActorId extends TSchema,
  Own extends TProperties,
>(options: {
  kinds: Kinds;
  actorId: ActorId;
  own: Own;
}) =>
  named(
    'AuditEntry',
    Type.Object({
      id: Type.Integer(),
      ...options.own,
      at: Type.String({ format: 'date-time' }),
      actor: Type.Object({
        kind: Type.Enum([...options.kinds] as [...Kinds]),
        id: Type.Optional(options.actorId),
        name: Type.Optional(Type.String({ description: 'The name of the person, while they are a member.' })),
      }),
      address: Type.String(),
      action: Type.String(),
      subject: Type.Object({ kind: Type.String(), id: Type.String() }),
      details: Type.Record(Type.String(), Type.Unknown()),
    }),
  );

/** Presents the person of an audit entry. The name is absent if the person is no longer a member. */
export function presentPerson<Kind extends string>(
  kind: Kind,
  personId: bigint,
  names: ReadonlyMap<bigint, string>,
): { kind: Kind; id: number; name?: string } {
  const name = names.get(personId);
  return { kind, id: Number(personId), ...(name !== undefined && { name }) };
}

/** Returns the names of the members of these tenants, by person id. */
export async function listMemberNames(
  db: Queryable,
  tenantIds: readonly bigint[],
): Promise<Map<bigint, string>> {
  const names = new Map<bigint, string>();
  for (const tenantId of tenantIds) {
    for (const member of await listMembers(db, tenantId)) names.set(member.personId, member.name);
  }
  return names;
}

export async function listTenantsOf(tx: Tx, personId: bigint): Promise<bigint[]> {
  const memberships = await listMemberships(tx, personId);
  return memberships.map((membership) => membership.tenantId);
}

/**
 * Lists the tenants whose audit logs record the event. If the event has a tenant, only that tenant is listed.
 * Otherwise all tenants of the person whom the event concerns are listed.
 */
export async function listConcernedTenants(tx: Tx, event: SignInEvent): Promise<bigint[]> {
  if (event.tenantId !== null) return [event.tenantId];
  return event.personId === null ? [] : await listTenantsOf(tx, event.personId);
}

/**
 * Returns the subject of an event. An invitation is named by its e-mail, because the log must not reveal
 * whether a person with this e-mail exists.
 */
export function getAuditSubject(event: SignInEvent): AuditSubject {
  if (event.action === 'invitation_made' || event.action === 'invitation_withdrawn') {
    return { kind: 'invitation', id: event.details.email ?? '' };
  }
  return { kind: 'person', id: String(event.personId ?? '') };
}
