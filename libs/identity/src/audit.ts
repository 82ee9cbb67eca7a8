// What a service may write to its audit log, in the very transaction that did it.

export type SignInAction =
  | 'signed_in'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset_link_made'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'invitation_made'
  | 'invitation_withdrawn'
  | 'invitation_redeemed'
  | 'role_changed'
  | 'member_removed'
  | 'person_disabled'
  | 'person_enabled';

export interface SignInEvent {
  readonly action: SignInAction;
  readonly at: Date;
  /** Who did it; null for an operator at the command line. */
  readonly actorId: bigint | null;
  /** Whom it concerns; null when an invited e-mail has no person yet. */
  readonly personId: bigint | null;
  readonly tenantId: bigint | null;
  /** Where the request came from, if there was one. */
  readonly address: string | null;
  /** Never a secret. */
  readonly details: Readonly<Record<string, string>>;
}
