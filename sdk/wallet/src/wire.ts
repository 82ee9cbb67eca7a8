// Written from the OpenAPI of the wallet service; CONTRIBUTING.md says how to write it again.
import type { Amount } from '../../shared/amount.ts';

/** Which fields, as holder.field, are amounts: JSON numbers on the wire, decimal texts here. */
export const amountFields: ReadonlySet<string> = new Set([
  '.package_balance',
  'credit_alert.balance',
  'credit_alert.threshold',
  'data.alert_threshold',
  'data.amount',
  'data.balance',
  'data.balance_before',
  'data.bet_total',
  'data.overdraft_limit',
  'data.win_total',
  'events.amount',
  'events.balance',
  'events.change',
  'movements.amount',
  'movements.balance',
  'movements.credit_change',
  'movements.player_change',
  'players.balance',
  'players.bet_total',
  'players.win_total',
  'transactions.amount',
  'transactions.balance',
  'transactions.change',
]);

export type CreditAlert = null | {
  readonly level: 'low' | 'critical' | 'exhausted';
  readonly message: string;
  readonly threshold: Amount;
  readonly balance: Amount;
};

export interface Player {
  readonly player_id: string;
  readonly name: string;
  readonly currency: string;
  readonly balance: Amount;
  readonly status: 'active' | 'blocked';
  readonly created_at: string;
}

export interface Game {
  /** What `game/launch` takes. */
  readonly game_id: string;
  readonly game_name: string;
  readonly provider: string | null;
  readonly category: string | null;
  readonly image: string | null;
  /** Further pictures by their form, such as `square` and `wide`. */
  readonly images: Readonly<Record<string, string>> | null;
  /** Return to player, in per cent. */
  readonly rtp: number | null;
  readonly volatility: string | null;
  readonly has_demo: boolean | null;
  readonly platforms: readonly string[] | null;
  readonly status: 'active' | 'maintenance' | 'disabled' | null;
}

export interface StatementLine {
  /** The movement's place in the package's journal. */
  readonly sequence: number;
  /** credit, debit, bet, win, bet_win, rollback or end_round. */
  readonly kind: string;
  readonly transaction_id: string;
  readonly amount: Amount;
  /** What it did to the balance; zero for a refusal. */
  readonly change: Amount;
  readonly balance: Amount;
  readonly result: string;
  readonly game_id: string | null;
  readonly round_id: string | null;
  readonly note: string;
  readonly created_at: string;
}

export interface FeedLine {
  /** Counts up by one; no number is ever left out. */
  readonly sequence: number;
  readonly created_at: string;
  readonly kind: string;
  readonly result: string;
  readonly transaction_id: string;
  readonly player_id: string | null;
  readonly amount: Amount;
  /** What it did to the player's balance. */
  readonly player_change: Amount;
  /** What it did to the package's credit. */
  readonly credit_change: Amount;
  /** Of the player after it; of a top-up, the credit. */
  readonly balance: Amount;
  readonly game_id: string | null;
  readonly round_id: string | null;
  readonly note: string;
  /** The row's link in the hash chain, as in the daily file. */
  readonly hash: string;
}

export interface GetPackageAnswer {
  readonly status: 'success';
  readonly data: {
    readonly uid: string;
    readonly name: string;
    readonly state: string;
    readonly currency: string;
    /** The prepaid credit. */
    readonly balance: Amount;
    readonly overdraft_limit: Amount;
    readonly alert_threshold: Amount;
    readonly domains: readonly string[];
    /** A twin for tests, with play money. */
    readonly sandbox: boolean;
  };
  readonly request_id: string;
}

export interface CreatePlayerBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  readonly currency?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** Anything of your own about the player, as JSON of up to 4 KiB. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CreatePlayerAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly name: string;
    readonly currency: string;
    readonly balance: Amount;
    readonly status: 'active' | 'blocked';
    readonly created_at: string;
    readonly created: boolean;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null when all is well, so that `if (credit_alert)` works. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface GetBalanceQuery {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
}

export interface GetBalanceAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly balance: Amount;
    readonly currency: string;
    readonly status: 'active' | 'blocked';
    readonly updated_at: string;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null when all is well, so that `if (credit_alert)` works. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface ListPlayersQuery {
  /** How the id begins. */
  readonly search?: string | undefined;
  /** How many at most, from 1 to 100; 50 unless told. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListPlayersAnswer {
  readonly status: 'success';
  readonly data: {
    readonly players: readonly Player[];
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface SetPlayerStatusBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  readonly status: 'active' | 'blocked';
}

export interface SetPlayerStatusAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly status: 'active' | 'blocked';
  };
  readonly request_id: string;
}

export interface UpdateBalanceBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  readonly type: 'credit' | 'debit';
  /**
   * A JSON number or a plain decimal string, greater than zero, with no more decimals than the
   * currency has.
   */
  readonly amount: Amount;
  /** The caller's own identifier, unique per package over all players, for ever. */
  readonly transaction_id: string;
  readonly note?: string | null | undefined;
}

export interface UpdateBalanceAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly transaction_id: string;
    readonly type: 'credit' | 'debit';
    readonly amount: Amount;
    readonly balance_before: Amount;
    readonly balance: Amount;
    readonly currency: string;
    readonly note: string;
    readonly created_at: string;
    /** True when the same request was answered before. */
    readonly duplicate: boolean;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null when all is well, so that `if (credit_alert)` works. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface GetTransactionQuery {
  /** The caller's own identifier, unique per package over all players, for ever. */
  readonly transaction_id: string;
}

export interface GetTransactionAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly transaction_id: string;
    readonly type: 'credit' | 'debit';
    readonly amount: Amount;
    readonly balance_before: Amount;
    readonly balance: Amount;
    readonly currency: string;
    readonly note: string;
    readonly created_at: string;
    readonly result: 'applied' | 'refused';
    /** Why it was refused. */
    readonly code?: string;
  };
  readonly request_id: string;
}

export interface ListTransactionsQuery {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  /** How many at most, from 1 to 100; 50 unless told. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListTransactionsAnswer {
  readonly status: 'success';
  readonly data: {
    readonly player_id: string;
    readonly transactions: readonly StatementLine[];
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface ListGamesQuery {
  /** Games of this provider; letter case aside. */
  readonly provider?: string | undefined;
  /** Games of this category; letter case aside. */
  readonly category?: string | undefined;
  /** A part of the name or the id. */
  readonly search?: string | undefined;
  /** How many at most, from 1 to 1000; all unless told. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface ListGamesAnswer {
  readonly status: 'success';
  readonly data: {
    /** In the order of their ids. What the provider does not tell is null. */
    readonly games: readonly Game[];
    /** Which API of the provider told it; stale: none could, this is the last good copy. */
    readonly source: 'private' | 'public' | 'stale';
    /** When the provider last said so. */
    readonly updated_at: string;
    /** After the filters, on all pages together. */
    readonly total: number;
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface LaunchGameBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  readonly game_id: string;
  readonly currency?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly return_url?: string | null | undefined;
  readonly platform?: 'desktop' | 'mobile' | null | undefined;
  readonly mode?: 'real' | 'demo' | null | undefined;
}

export interface LaunchGameAnswer {
  readonly status: 'success';
  readonly data: {
    /** Works once, for this player alone: never keep it. */
    readonly launch_url: string;
    readonly launch_url_expires_at: string;
    /** Callbacks of this session carry it. */
    readonly session_id: string;
    /** From then on the session takes no bets; wins and rollbacks it always takes. */
    readonly expires_at: string;
    readonly game_id: string;
    readonly mode: 'real' | 'demo';
    readonly source: 'private' | 'shared';
    readonly balance: Amount;
    readonly currency: string;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null when all is well, so that `if (credit_alert)` works. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface EndSessionBody {
  readonly session_id: string;
}

export interface EndSessionAnswer {
  readonly status: 'success';
  readonly data: {
    readonly session_id: string;
    readonly player_id: string;
    readonly game_id: string;
    readonly mode: 'real' | 'demo';
    readonly state: 'launching' | 'open' | 'expired' | 'ended' | 'failed';
    readonly source: 'private' | 'shared' | null;
    readonly private_failure: string | null;
    readonly created_at: string;
    readonly expires_at: string;
    readonly ended_at: string | null;
  };
  readonly request_id: string;
}

export interface GetRoundQuery {
  /** The provider's round_id. */
  readonly round_id: string;
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id?: string | undefined;
}

export interface GetRoundAnswer {
  readonly status: 'success';
  readonly data: {
    readonly round_id: string;
    /** Closed once it is closed for every player shown. */
    readonly state: 'open' | 'closed';
    readonly currency: string;
    readonly bet_total: Amount;
    readonly win_total: Amount;
    /** A round_id may be shared by several players, each with a part of their own. */
    readonly players: readonly {
      readonly player_id: string;
      readonly game_id: string | null;
      readonly state: 'open' | 'closed';
      /** Bets that stand: what was rolled back is taken out. */
      readonly bet_total: Amount;
      readonly win_total: Amount;
      readonly opened_at: string;
      readonly closed_at: string | null;
    }[];
    /** In the order in which they happened. */
    readonly events: readonly {
      /** The event's place in the package's journal. */
      readonly sequence: number;
      readonly created_at: string;
      readonly player_id: string;
      /** bet, win, rollback or end_round. */
      readonly kind: string;
      readonly transaction_id: string;
      readonly amount: Amount;
      /** What it did to the player's balance. */
      readonly change: Amount;
      readonly balance: Amount;
      readonly result: string;
      /** False for a rollback or win that named a bet of the round, but not the round. */
      readonly names_round: boolean;
    }[];
    /** There is more than one answer holds; name a player. */
    readonly truncated: boolean;
  };
  readonly request_id: string;
}

export interface ListFeedQuery {
  /** The `next_after` of the page before; 0 or nothing for the beginning. */
  readonly after?: number | string | undefined;
  /** How many at most, from 1 to 1000; 100 unless told. */
  readonly limit?: number | string | undefined;
}

export interface ListFeedAnswer {
  readonly status: 'success';
  readonly data: {
    readonly movements: readonly FeedLine[];
    /** Where to go on, also on the last page. */
    readonly next_after: number;
    /** The page is full: there may be more. */
    readonly has_more: boolean;
  };
  readonly request_id: string;
}
