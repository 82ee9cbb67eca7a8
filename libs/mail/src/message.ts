// A message: its kind, its recipient, and the values that its template shows.
import type { Language } from '@counterfoil/kit/http/headers';

/** The values of each template. Times are ISO 8601 texts, because the values are stored as JSON. */
export interface MailContents {
  readonly invitation: { readonly url: string; readonly expiresAt: string; readonly inviter?: string };
  readonly password_reset: { readonly url: string; readonly expiresAt: string };
  readonly credit_alert: {
    readonly package: string;
    readonly level: 'low' | 'critical' | 'exhausted';
    readonly balance: string;
    readonly threshold: string;
    readonly currency: string;
    readonly url: string;
  };
  readonly webhook_disabled: {
    readonly tenant: string;
    readonly host: string;
    readonly reason: 'gone' | 'failing';
    readonly url: string;
  };
  readonly support_ending: {
    readonly workspace: string;
    readonly count: number;
    /** The purchases whose support ends first, ordered by the end of their support. */
    readonly purchases: readonly { readonly item: string; readonly id: string; readonly end: string }[];
    readonly url: string;
  };
  /** Sent to the buyer of one purchase. */
  readonly buyer_support_ending: {
    readonly workspace: string;
    readonly item: string;
    readonly end: string;
    /** The address of the buyer portal. */
    readonly url: string;
    readonly unsubscribeUrl: string;
  };
  readonly pool_low: {
    readonly workspace: string;
    readonly pool: string;
    /** The number of free codes. */
    readonly free: number;
    readonly threshold: number;
    readonly url: string;
  };
  readonly buyer_link: {
    readonly url: string;
    readonly expiresAt: string;
    /** The names of the sellers from whom the buyer has purchases. */
    readonly sellers: readonly string[];
  };
  readonly code_replaced: {
    readonly workspace: string;
    readonly item: string;
    /** The id of the purchase. */
    readonly id: string;
    readonly url: string;
  };
}

export type MailKind = keyof MailContents;

export const mailKinds = [
  'invitation',
  'password_reset',
  'credit_alert',
  'webhook_disabled',
  'support_ending',
  'pool_low',
  'buyer_link',
  'code_replaced',
  'buyer_support_ending',
] as const satisfies readonly MailKind[];

/** The kind of a message together with the values of this kind. */
export type MailContent = { [Kind in MailKind]: { kind: Kind; values: MailContents[Kind] } }[MailKind];

export interface MailKey {
  /** The id of the workspace or package. It is 0 for the platform and for people without a tenant. */
  readonly tenantId: bigint;
  readonly id: bigint;
}

export interface NewMail {
  readonly tenantId: bigint;
  readonly to: string;
  readonly language: Language;
  readonly content: MailContent;
  /** The message is not sent after this time. */
  readonly expiresAt?: Date;
}

/**
 * The result of queueing a message. `limited` has two possible reasons: the address got too many messages of
 * this kind in the last hour, or too many messages of the tenant are waiting. `off` means that no mail is
 * set up.
 */
export const queueResults = ['queued', 'limited', 'off'] as const;
export type QueueResult = (typeof queueResults)[number];

/** A message as it is sent: its subject, and its content as plain text and as HTML. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
