// An entry of the audit log: the actor with the IP address, the action and its subject.
import { AuditEntry, type AuditSubject, presentPerson } from '@counterfoil/identity/audit-log';
import { Type } from 'typebox';

/**
 * The author of a change: a member of the package, an administrator, a program with an administrator token,
 * or the operator at the command line. A stranger is the unknown sender of a forged request.
 */
export type Actor =
  | { readonly kind: 'member' | 'administrator'; readonly personId: bigint; readonly address: string }
  | { readonly kind: 'admin_token'; readonly tokenId: bigint; readonly address: string }
  | { readonly kind: 'operator' }
  /** The sender of a forged request. */
  | { readonly kind: 'stranger'; readonly address: string };

export const operator: Actor = { kind: 'operator' };

export interface AuditEvent {
  /** The package in whose log the event is recorded; 0 means the log of the platform. */
  readonly packageId: number;
  /** The package that was changed. Only events in the platform's log have this field. */
  readonly aboutPackageId?: number | undefined;
  readonly at: Date;
  readonly actor: Actor;
  /** The action in the past tense and in snake_case, such as `package_approved`. */
  readonly action: string;
  readonly subject: AuditSubject;
  /** The changed values, without secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ListedAuditEvent extends AuditEvent {
  readonly id: bigint;
  readonly details: Readonly<Record<string, unknown>>;
}

export const WalletAuditEntry = AuditEntry({
  kinds: ['member', 'administrator', 'admin_token', 'operator', 'stranger'],
  actorId: Type.Integer({ description: 'The id of the person or the token.' }),
  own: {
    package: Type.Optional(
      Type.Object(
        { id: Type.Integer(), uid: Type.String() },
        { description: "The package that was changed; only in the platform's log." },
      ),
    ),
  },
});

export interface Reader {
  readonly names: ReadonlyMap<bigint, string>;
  /** UIDs by package id. */
  readonly uids: ReadonlyMap<number, string>;
  /**
   * Whether the reader is an administrator. Members see neither the name nor the address of an administrator.
   */
  readonly isAdministrator: boolean;
}

export function presentAuditEvent(event: ListedAuditEvent, reader: Reader) {
  const { actor, aboutPackageId: about } = event;
  const uid = about === undefined ? undefined : reader.uids.get(about);
  const shown = reader.isAdministrator || actor.kind === 'member' || actor.kind === 'stranger';
  return {
    id: Number(event.id),
    ...(about !== undefined && uid !== undefined && { package: { id: about, uid } }),
    at: event.at.toISOString(),
    actor: shown ? presentActor(actor, reader.names) : { kind: actor.kind },
    address: shown && actor.kind !== 'operator' ? actor.address : '',
    action: event.action,
    subject: event.subject,
    details: event.details,
  };
}

function presentActor(actor: Actor, names: ReadonlyMap<bigint, string>) {
  if (actor.kind === 'operator' || actor.kind === 'stranger') return { kind: actor.kind };
  if (actor.kind === 'admin_token') return { kind: actor.kind, id: Number(actor.tokenId) };
  return presentPerson(actor.kind, actor.personId, names);
}
