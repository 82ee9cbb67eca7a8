// One line of the audit log: who did what to which thing, from where.

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
  readonly subject: { readonly kind: string; readonly id: string };
  /** What changed, as JSON; never a secret, never a full code. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ListedAuditEvent extends AuditEvent {
  readonly id: bigint;
  readonly details: Readonly<Record<string, unknown>>;
}
