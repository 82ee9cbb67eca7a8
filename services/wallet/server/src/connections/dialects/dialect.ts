// A dialect maps a provider's HTTP protocol to canonical calls, and their results to the provider's answers.
// Dialects are pure functions: they use no clock, no database and no data of earlier requests.
import type { IncomingHttpHeaders } from 'node:http';

export const dialectNames = ['valkyrie', 'softswiss', 'hub88', 'slotegrator'] as const;
export type DialectName = (typeof dialectNames)[number];

/** A request to `{public_url}/providers/{id}{path}`, before anything in it is trusted. */
export interface ProviderRequest {
  readonly method: string;
  /** The path after the id of the connection, as the provider sent it: `/betwin`, or empty. */
  readonly path: string;
  /** The text after the question mark, as the provider sent it. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body of at most 64 KiB. It is empty if the request has no body. */
  readonly body: Buffer;
}

export interface ProviderResponse {
  readonly status: number;
  /** The body of the answer, which is JSON. */
  readonly body: string;
}

/** The settings of the connection and its package that a dialect needs. */
export interface Terms {
  /** The package's currency. */
  readonly currency: string;
  /** The number of decimals of the package's amounts. With 2 decimals, one minor unit is 0.01. */
  readonly decimals: number;
  /**
   * The keys are the provider's currency codes, and each value is the package's currency. A code that is not
   * listed is used unchanged.
   */
  readonly currencies: Readonly<Record<string, string>>;
  /** Prefix of the provider's games in the package's list: game `a` of the provider is `prefix` + `a`. */
  readonly gamePrefix: string;
  /** A variant of the dialect, for example `caleta` of hub88; empty if there is none. */
  readonly profile?: string;
  /**
   * Whether references and transaction ids of Valkyrie are one name space. This is true for connections that
   * an early version of the wallet created. The keys of their transactions must not change.
   */
  readonly sharesNames?: boolean;
}

/**
 * The credentials of a connection by name, for example `{ token }`. Each dialect lists the names of its
 * credentials.
 */
export type Secrets = Readonly<Record<string, string>>;

/** `forged`: the signature is missing or wrong. `stale`: the signature is too old, or was used before. */
export type Authenticity =
  | {
      readonly kind: 'authentic';
      /** The wallet accepts each nonce once. Dialects without nonces leave it out. */
      readonly nonce?: string;
    }
  | { readonly kind: 'forged' | 'stale' };

export type Purse = 'cash' | 'promo';

/**
 * The state that the player's game session must have. `running`: the session must be running. `known`: the
 * session must exist, but may have expired. `nothing`: the session is not checked.
 */
export interface SessionNeed {
  readonly token: string | undefined;
  readonly needs: 'running' | 'known' | 'nothing';
}

interface Transacted {
  /** Identifies the transaction within the connection. A leg with a known key is a repeat. */
  readonly key: string;
  /** The provider's id of the transaction, by which people search for it; at most 128 characters. */
  readonly transactionId: string;
  /**
   * A further key of the transaction. Look-ups, rollbacks and repeats may name the transaction by this key.
   */
  readonly nameKey?: string;
  /**
   * Whether `nameKey` alone identifies the transaction. If true, a leg with a known `nameKey` is a repeat. If
   * false, a leg with a known `nameKey` is a conflict, with one exception: a win or rollback is a new
   * transaction if its player, game and round are those of the stored transaction.
   */
  readonly isKnownByName?: boolean;
}

export type Leg =
  | (Transacted & { readonly type: 'bet'; readonly amount: bigint; readonly purse: Purse })
  | (Transacted & {
      readonly type: 'win';
      readonly amount: bigint;
      readonly purse: Purse;
      /** The key of the bet that the win belongs to. If it is undefined, the win is paid without a bet. */
      readonly betKey: string | undefined;
      /**
       * If true, the win needs an open round. The win is refused if its round is unknown (`bet_not_found`),
       * belongs to a different game (`game_not_found`) or is closed (`round_closed`).
       */
      readonly needsOpenRound: boolean;
    })
  | (Transacted & {
      readonly type: 'rollback';
      readonly purse: Purse;
      /**
       * The key of the original transaction. If the original is unknown, a tombstone is stored for it. The
       * original is then refused when it arrives.
       */
      readonly originalKey: string;
      /**
       * Further keys of the original transaction, which are used if `originalKey` is unknown. The tombstone
       * is then also stored for the first of them.
       */
      readonly originalNames?: readonly string[];
      /**
       * The transactions that the rollback may undo: bets that are not settled (`open_bets`), all bets
       * (`bets`), or bets and wins (`any`).
       */
      readonly undoes: 'open_bets' | 'bets' | 'any';
    })
  | { readonly type: 'end_round' };

interface OfPlayer {
  /** The player; empty if the request does not name the player. */
  readonly playerId: string;
  /**
   * If the request does not name the player, the call is for the player of this session. The session may have
   * ended.
   */
  readonly playerOf?: string;
  readonly session: SessionNeed;
}

/** A call that moves money. Its legs are applied in order. Either all legs are applied or none. */
export interface PlayCall extends OfPlayer {
  readonly kind: 'play';
  readonly legs: readonly Leg[];
  readonly gameId: string | undefined;
  readonly roundId: string | undefined;
  /** If true, the round is closed after the last leg. */
  readonly roundFinished: boolean;
  /** If true, the legs must be all new or all repeats. A mixture is refused as `transaction_conflict`. */
  readonly isOneTransaction?: boolean;
  /**
   * The keys of legs that this transaction could have but does not have. If the ledger knows one of these
   * keys, a repeat of this transaction is refused as `transaction_conflict`.
   */
  readonly absentKeys?: readonly string[];
  /** Whether the provider moves promo money. If true, the end of a round applies to both purses. */
  readonly usesPromo?: boolean;
  /**
   * The id of the request. A request with a known id gets the first answer and changes nothing, even if its
   * transactions are new.
   */
  readonly requestId?: string;
  /** If true, a request with a known id and new transactions is refused as `transaction_conflict`. */
  readonly isRequestBound?: boolean;
}

export type ProviderCall =
  | PlayCall
  | (OfPlayer & { readonly kind: 'balance' })
  /** Reads the session, or replaces its token. The session determines the player. */
  | { readonly kind: 'session' | 'replace_session'; readonly token: string | undefined }
  /** Looks transactions up by their keys. */
  | (OfPlayer & { readonly kind: 'transactions'; readonly keys: readonly string[] })
  | (OfPlayer & { readonly kind: 'round'; readonly roundId: string });

export interface Balances {
  readonly cash: bigint;
  readonly promo: bigint;
}

export interface PlayedLeg {
  /** The wallet's id of the movement: 1 to 40 characters, the same for every repeat. */
  readonly id: string;
  readonly isRepeated: boolean;
  readonly result:
    | 'applied'
    | 'recorded'
    | 'late'
    | 'rolled_back'
    | 'already_rolled_back'
    | 'tombstoned'
    | 'nothing_to_roll_back'
    | 'closed';
}

export interface FoundTransaction {
  readonly key: string;
  readonly transactionId: string;
  readonly type: 'bet' | 'win' | 'rollback';
  readonly purse: Purse;
  readonly amount: bigint;
  readonly gameId: string | undefined;
  readonly roundId: string | undefined;
  readonly at: Date;
}

export interface FoundSession {
  readonly token: string;
  readonly playerId: string;
  readonly gameId: string;
}

export interface FoundRound {
  readonly roundId: string;
  readonly gameId: string | undefined;
  readonly openedAt: Date;
  readonly closedAt: Date | undefined;
}

/** The reasons why a call was not carried out. */
export const failureCodes = [
  'player_not_found',
  'player_blocked',
  'session_not_found',
  'session_expired',
  'insufficient_funds',
  'balance_limit',
  'bet_limit',
  'bet_not_found',
  'game_not_found',
  'bet_rolled_back',
  'bet_refused',
  'bet_already_settled',
  'round_closed',
  'round_not_found',
  'not_a_bet',
  /**
   * The key was used before for a different transaction. `field` names a field that differs, for example
   * `amount`.
   */
  'transaction_conflict',
  /**
   * Failures of the wallet itself. Nothing was applied, except that after `outcome_unknown` the call may have
   * been applied.
   */
  'internal_error',
  'overloaded',
  'unavailable',
  'outcome_unknown',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/**
 * `playerId` is defined only if the request did not name the player. The player is then the player of the
 * session.
 */
export type CallResult = { readonly playerId?: string } & (
  | { readonly kind: 'balance'; readonly balances: Balances }
  | {
      readonly kind: 'played';
      readonly legs: readonly PlayedLeg[];
      /** The wallet's id of the round: 1 to 40 characters. Undefined if the call names no round. */
      readonly roundId: string | undefined;
      readonly balances: Balances;
    }
  | { readonly kind: 'session'; readonly session: FoundSession }
  | { readonly kind: 'transactions'; readonly transactions: readonly FoundTransaction[] }
  | { readonly kind: 'round'; readonly round: FoundRound }
  | {
      readonly kind: 'failed';
      readonly code: FailureCode;
      readonly field?: string;
      /** The position of the leg that was refused, from 0. */
      readonly leg?: number;
      /** The balances are defined if the player is known and the balances could be read. */
      readonly balances?: Balances;
      /** True if the request was refused before and gets its first refusal again. */
      readonly isRepeated?: true;
    }
);

/**
 * Failures that a dialect answers from the request alone, because most of them occur before the body is
 * parsed.
 */
export const earlyFailures = [
  'forged',
  'stale',
  'paused',
  'too_large',
  /** The method, the URL or the headers are wrong. The body was not read. */
  'malformed',
  'not_found',
  'internal_error',
  'overloaded',
] as const;
export type EarlyFailure = (typeof earlyFailures)[number];

/**
 * The result of parsing a request. For a valid request, it has the call, and the parts of the request that
 * the answer repeats. For an invalid request, it has the answer.
 */
export type Parsed<Context> =
  | {
      readonly call: ProviderCall;
      readonly context: Context;
      /**
       * Set if the request is refused with an answer that contains the balance. The call then only reads the
       * balance, and the log shows this code.
       */
      readonly refusal?: 'invalid_parameter';
    }
  | { readonly invalid: ProviderResponse };

export interface Dialect<Context = unknown> {
  readonly name: DialectName;
  /**
   * The names of the secrets that a connection needs. `ours`: the wallet generates the secret. `theirs`: the
   * provider chooses it.
   */
  readonly secrets: Readonly<Record<string, 'ours' | 'theirs'>>;
  /** Whether a repeat is answered with the balance of the first answer or with the present balance. */
  readonly repeatBalance: 'stored' | 'present';
  /**
   * If true, a request that repeats the id of a refused request (`requestId`) gets the first refusal again.
   * If absent, the repeated request is decided again.
   */
  readonly repeatsRefusals?: boolean;
  /** Whether answers contain the promo balance, which the wallet may have to read separately. */
  readonly showsPromo: boolean;
  /**
   * Checks the signature or token on the raw bytes, in constant time. `secrets` are all secrets that are
   * accepted now.
   */
  authenticate(
    request: ProviderRequest,
    secrets: readonly Secrets[],
    nowMs: number,
    profile?: string,
  ): Authenticity;
  parse(request: ProviderRequest, terms: Terms, secrets: readonly Secrets[]): Parsed<Context>;
  /**
   * Lists the keys that a transaction with this id may have. In a dialect without this function, the id is
   * the key.
   */
  listKeysOf?(transactionId: string): readonly string[];
  present(result: CallResult, context: Context, terms: Terms): ProviderResponse;
  presentEarly(failure: EarlyFailure, request: ProviderRequest): ProviderResponse;
}
