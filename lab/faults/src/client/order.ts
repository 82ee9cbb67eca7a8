// What a caller or the provider asks of the wallet, and what it was told.

export type OrderKind = 'credit' | 'debit' | 'bet' | 'win' | 'rollback' | 'top_up';

export interface Order {
  readonly packageId: number;
  readonly kind: OrderKind;
  readonly id: string;
  /** Empty for a top-up, which is the package's own. */
  readonly player: string;
  /** Undefined for a rollback, which takes back what the bet was. */
  readonly amountMinor?: bigint;
  /** The bet that a win or a rollback speaks of. */
  readonly reference?: string;
  readonly round?: string;
}

/** What one attempt came to. */
export type Outcome =
  | {
      readonly kind: 'acknowledged';
      /** The player's, after it; absent where the answer named no exact amount. */
      readonly balanceMinor?: bigint;
      readonly duplicate: boolean;
      readonly result?: string;
    }
  /** A no of the rules; `final` ones are stored, and true of their id for ever. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly final: boolean;
      /** Both of a final one that says so. */
      readonly balanceMinor?: bigint;
      readonly duplicate?: boolean;
    }
  /** Not served now, and surely nothing applied by this attempt. */
  | { readonly kind: 'turned_away'; readonly code: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** An answer, or the lack of one, with what every answer must keep to. */
export interface Answer {
  readonly outcome: Outcome;
  /** Undefined where no answer came. */
  readonly status?: number;
  /** Of a 503: whether it says when to come again. */
  readonly retryAfter?: boolean;
}

export const isDefinite = ({ kind }: Outcome): boolean =>
  kind === 'acknowledged' || kind === 'refused';

/** Ids of different families never meet: a caller's `1` is no provider's bet `1`. */
const familyOf = (kind: OrderKind): string =>
  kind === 'credit' || kind === 'debit' ? 'caller' : kind;

export const keyOf = (order: Pick<Order, 'packageId' | 'kind' | 'id'>): string =>
  `${order.packageId} ${familyOf(order.kind)} ${order.id}`;

/** Two orders of one key that differ in this are in conflict. */
export const contentOf = (order: Order): string =>
  [
    order.kind,
    order.player,
    order.amountMinor ?? '',
    order.reference ?? '',
    order.round ?? '',
  ].join(' ');
