// An entry of the audit log: the actor with the IP address, the action and its subject.
import type { AuditSubject } from '@counterfoil/identity/audit-log';

/**
 * The actor of a change: a person in the panel, a program with an API key, a buyer in the buyer portal, or an
 * operator at the command line. A buyer and an operator have no id.
 */
export interface Actor {
  readonly personId?: bigint;
  readonly apiKeyId?: bigint;
  readonly isBuyer?: boolean;
  readonly address?: string;
}

/** The workspace of an operation, and the actor that the audit log records. */
export interface Caller {
  readonly workspaceId: bigint;
  readonly actor: Actor;
}

export interface AuditEvent extends Caller {
  readonly at: Date;
  /** The name of the action in past tense and snake_case, such as `item_published`. */
  readonly action: string;
  readonly subject: AuditSubject;
  /** The changed values. They contain no secret and no full purchase code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A row of the audit log. */
export interface ListedAuditEvent {
  readonly id: bigint;
  readonly at: Date;
  readonly actorPersonId: bigint | undefined;
  readonly actorApiKeyId: bigint | undefined;
  readonly actorIsBuyer: boolean;
  readonly address: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly details: Readonly<Record<string, unknown>>;
}
