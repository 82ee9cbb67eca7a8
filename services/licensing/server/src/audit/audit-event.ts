// An entry of the audit log: the actor, the action, its subject and the address.
import type { AuditSubject } from '@counterfoil/identity/audit-log';

/** A person in the panel, a program by its key, or neither: an operator at the command line. */
export interface Actor {
  readonly personId?: bigint;
  readonly apiKeyId?: bigint;
  readonly address?: string;
}

export interface AuditEvent {
  readonly workspaceId: bigint;
  readonly at: Date;
  readonly actor: Actor;
  /** Past tense, snake_case: `item_published`. */
  readonly action: string;
  readonly subject: AuditSubject;
  /** What changed, as JSON; never a secret, never a full code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ListedAuditEvent extends AuditEvent {
  readonly id: bigint;
  readonly details: Readonly<Record<string, unknown>>;
}
