// An order of a caller or of the provider, and the answer to it.

export type OrderKind = 'credit' | 'debit' | 'bet' | 'win' | 'rollback' | 'top_up';

export interface Order {
  readonly packageId: number;
  readonly kind: OrderKind;
  readonly id: string;
  /** Empty for a top-up, which concerns the package. */
  readonly player: string;
  /** Undefined for a rollback, whose amount is that of the bet. */
  readonly amountMinor?: bigint;
  /** The bet to which a win or a rollback refers. */
  readonly reference?: string;
  readonly round?: string;
}

/** The outcome of one attempt. */
export type Outcome =
  | {
      readonly kind: 'acknowledged';
      /** The player's balance afterwards; absent if the answer has no exact amount. */
      readonly balanceMinor?: bigint;
      readonly duplicate: boolean;
      readonly result?: string;
    }
  /** A refusal by the rules. A `final` refusal is stored, and every repeat of the id gets it again. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly final: boolean;
      /** The balance that a final refusal contains; undefined if it contains no balance. */
      readonly balanceMinor?: bigint;
      readonly duplicate?: boolean;
    }
  /** The service did not process this attempt, for example because of overload. */
  | { readonly kind: 'turned_away'; readonly code: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The outcome of an attempt, and the parts of its answer that the checks need. */
export interface Answer {
  readonly outcome: Outcome;
  /** Undefined if no answer came. */
  readonly status?: number;
  /** Whether a 503 has a Retry-After header. */
  readonly retryAfter?: boolean;
}

export const isDefinite = ({ kind }: Outcome): boolean => kind === 'acknowledged' || kind === 'refused';

/** Ids are unique within a family: a caller's id `1` and the provider's bet `1` are different orders. */
const familyOf = (kind: OrderKind): string => (kind === 'credit' || kind === 'debit' ? 'caller' : kind);

export const keyOf = (order: Pick<Order, 'packageId' | 'kind' | 'id'>): string =>
  `${order.packageId} ${familyOf(order.kind)} ${order.id}`;

/** Two orders with the same key and different content are in conflict. */
export const contentOf = (order: Order): string =>
  [order.kind, order.player, order.amountMinor ?? '', order.reference ?? '', order.round ?? ''].join(' ');
