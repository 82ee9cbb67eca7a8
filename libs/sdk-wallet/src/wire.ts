// Generated from the OpenAPI document of the wallet service; CONTRIBUTING.md says how to update it.
import type { Amount } from '../../sdk-shared/src/amount.ts';

/** The amounts, as parent.field: JSON numbers on the wire, decimal strings in the client. */
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
  /** low at the threshold, critical at a quarter of it, exhausted when nothing is left to give. */
  readonly level: 'low' | 'critical' | 'exhausted';
  /** The same for people. */
  readonly message: string;
  /** The package's `alert_threshold`. */
  readonly threshold: Amount;
  /** The package's credit. */
  readonly balance: Amount;
};

export interface Player {
  /** The caller's own identifier of the player. */
  readonly player_id: string;
  /** What people call it. */
  readonly name: string;
  /** ISO 4217; the package's. */
  readonly currency: string;
  /** The balance after it, an exact decimal. */
  readonly balance: Amount;
  /** active, or blocked: then no bet and no launch. */
  readonly status: 'active' | 'blocked';
  /** When it was made; ISO 8601, UTC. */
  readonly created_at: string;
}

export interface Game {
  /** What `game/launch` takes. */
  readonly game_id: string;
  /** What the game is called. */
  readonly game_name: string;
  /** Who makes it. */
  readonly provider: string | null;
  /** What sort of game it is; null where that is not known. */
  readonly category: string | null;
  /** Address of its picture; null without one. */
  readonly image: string | null;
  /** Further pictures by their form, such as `square` and `wide`. */
  readonly images: Readonly<Record<string, string>> | null;
  /** Return to player, in per cent. */
  readonly rtp: number | null;
  /** As the provider says; null where it does not. */
  readonly volatility: string | null;
  /** Whether it can be played without money. */
  readonly has_demo: boolean | null;
  /** Where it can be played. */
  readonly platforms: readonly string[] | null;
  /** active, maintenance or disabled. */
  readonly status: 'active' | 'maintenance' | 'disabled' | null;
}

export interface StatementLine {
  /** The movement's place in the package's journal. */
  readonly sequence: number;
  /** credit, debit, bet, win, bet_win, rollback or end_round. */
  readonly kind: string;
  /** The caller's or the provider's own identifier: good once, for ever. */
  readonly transaction_id: string;
  /** A positive amount with at most the currency's decimals. */
  readonly amount: Amount;
  /** What it did to the balance; zero for a refusal. */
  readonly change: Amount;
  /** The balance after it, an exact decimal. */
  readonly balance: Amount;
  /** What came of it. */
  readonly result: string;
  /** The provider's identifier of the game. */
  readonly game_id: string | null;
  /** The provider's identifier of the round. */
  readonly round_id: string | null;
  /** Free text of the caller. */
  readonly note: string;
  /** When it was made; ISO 8601, UTC. */
  readonly created_at: string;
}

export interface FeedLine {
  /** Counts up by one; no number is ever left out. */
  readonly sequence: number;
  /** When it was made; ISO 8601, UTC. */
  readonly created_at: string;
  /** What kind it is. */
  readonly kind: string;
  /** What came of it. */
  readonly result: string;
  /** The caller's or the provider's own identifier: good once, for ever. */
  readonly transaction_id: string;
  /** The caller's own identifier of the player. */
  readonly player_id: string | null;
  /** A positive amount with at most the currency's decimals. */
  readonly amount: Amount;
  /** What it did to the player's balance. */
  readonly player_change: Amount;
  /** What it did to the package's credit. */
  readonly credit_change: Amount;
  /** Of the player after it; of a top-up, the credit. */
  readonly balance: Amount;
  /** The provider's identifier of the game. */
  readonly game_id: string | null;
  /** The provider's identifier of the round. */
  readonly round_id: string | null;
  /** Free text of the caller. */
  readonly note: string;
  /** The row's link in the hash chain, as in the daily file. */
  readonly hash: string;
}

export interface GetPackageAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The package's identifier, UID_…. */
    readonly uid: string;
    /** What people call it. */
    readonly name: string;
    /** Where it stands. */
    readonly state: string;
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** The prepaid credit. */
    readonly balance: Amount;
    /** How far the credit may go below zero. */
    readonly overdraft_limit: Amount;
    /** At which credit the alert begins. */
    readonly alert_threshold: Amount;
    /** Whose pages may call, and where players may return to. */
    readonly domains: readonly string[];
    /** A twin for tests, with play money. */
    readonly sandbox: boolean;
  };
  readonly request_id: string;
}

export interface CreatePlayerBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  /** The package's, or left out. */
  readonly currency?: string | null | undefined;
  /** What people call it. */
  readonly name?: string | null | undefined;
  /** Anything of your own about the player, as JSON of up to 4 KiB. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CreatePlayerAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** What people call it. */
    readonly name: string;
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** The balance after it, an exact decimal. */
    readonly balance: Amount;
    /** active, or blocked: then no bet and no launch. */
    readonly status: 'active' | 'blocked';
    /** When it was made; ISO 8601, UTC. */
    readonly created_at: string;
    /** False where the player was there already. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** The balance after it, an exact decimal. */
    readonly balance: Amount;
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** active, or blocked: then no bet and no launch. */
    readonly status: 'active' | 'blocked';
    /** When the balance last moved; ISO 8601, UTC. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The players. */
    readonly players: readonly Player[];
    /** Ask for the next page with it; null on the last. */
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface SetPlayerStatusBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  /** success, or error with a code. */
  readonly status: 'active' | 'blocked';
}

export interface SetPlayerStatusAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** active, or blocked: then no bet and no launch. */
    readonly status: 'active' | 'blocked';
  };
  readonly request_id: string;
}

export interface UpdateBalanceBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  /** credit gives to the player, debit takes; of a top-up: top_up or its reverse. */
  readonly type: 'credit' | 'debit';
  /**
   * A JSON number or a plain decimal string, greater than zero, with no more decimals than the
   * currency has.
   */
  readonly amount: Amount;
  /** The caller's own identifier, unique per package over all players, for ever. */
  readonly transaction_id: string;
  /** Free text. */
  readonly note?: string | null | undefined;
}

export interface UpdateBalanceAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** The caller's or the provider's own identifier: good once, for ever. */
    readonly transaction_id: string;
    /** credit gives to the player, debit takes; of a top-up: top_up or its reverse. */
    readonly type: 'credit' | 'debit';
    /** A positive amount with at most the currency's decimals. */
    readonly amount: Amount;
    /** The balance before it. */
    readonly balance_before: Amount;
    /** The balance after it, an exact decimal. */
    readonly balance: Amount;
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** Free text of the caller. */
    readonly note: string;
    /** When it was made; ISO 8601, UTC. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** The caller's or the provider's own identifier: good once, for ever. */
    readonly transaction_id: string;
    /** credit gives to the player, debit takes; of a top-up: top_up or its reverse. */
    readonly type: 'credit' | 'debit';
    /** A positive amount with at most the currency's decimals. */
    readonly amount: Amount;
    /** The balance before it. */
    readonly balance_before: Amount;
    /** The balance after it, an exact decimal. */
    readonly balance: Amount;
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** Free text of the caller. */
    readonly note: string;
    /** When it was made; ISO 8601, UTC. */
    readonly created_at: string;
    /** What came of it. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** The transactions, newest first. */
    readonly transactions: readonly StatementLine[];
    /** Ask for the next page with it; null on the last. */
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
  /** success, or error with a code. */
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
    /** Ask for the next page with it; null on the last. */
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface LaunchGameBody {
  /** The caller's own identifier of the player; exact and case-sensitive. */
  readonly player_id: string;
  /** The provider's identifier of the game. */
  readonly game_id: string;
  /** The package's, or left out. */
  readonly currency?: string | null | undefined;
  /** A language tag. */
  readonly language?: string | null | undefined;
  /** Where the player goes afterwards; on a whitelisted domain of the package. */
  readonly return_url?: string | null | undefined;
  /** desktop or mobile. */
  readonly platform?: 'desktop' | 'mobile' | null | undefined;
  /** For money unless told. */
  readonly mode?: 'real' | 'demo' | null | undefined;
}

export interface LaunchGameAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** Works once, for this player alone: never keep it. */
    readonly launch_url: string;
    /** Until when the address works. */
    readonly launch_url_expires_at: string;
    /** Callbacks of this session carry it. */
    readonly session_id: string;
    /** From then on the session takes no bets; wins and rollbacks it always takes. */
    readonly expires_at: string;
    /** The provider's identifier of the game. */
    readonly game_id: string;
    /** real or demo. */
    readonly mode: 'real' | 'demo';
    /** Where it comes from. */
    readonly source: 'private' | 'shared';
    /** The balance after it, an exact decimal. */
    readonly balance: Amount;
    /** ISO 4217; the package's. */
    readonly currency: string;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null when all is well, so that `if (credit_alert)` works. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface EndSessionBody {
  /** The session that a launch opened. */
  readonly session_id: string;
}

export interface EndSessionAnswer {
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The session that a launch opened. */
    readonly session_id: string;
    /** The caller's own identifier of the player. */
    readonly player_id: string;
    /** The provider's identifier of the game. */
    readonly game_id: string;
    /** real or demo. */
    readonly mode: 'real' | 'demo';
    /** Where it stands. */
    readonly state: 'launching' | 'open' | 'expired' | 'ended' | 'failed';
    /** Where it comes from. */
    readonly source: 'private' | 'shared' | null;
    /** Why the private launch was not had; null where it was. */
    readonly private_failure: string | null;
    /** When it was made; ISO 8601, UTC. */
    readonly created_at: string;
    /** When it ends by itself; ISO 8601, UTC. */
    readonly expires_at: string;
    /** When it was ended; null while it runs. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** The provider's identifier of the round. */
    readonly round_id: string;
    /**
     * `open` if it is open for a player shown; `void` if it is void for every player shown; else
     * `closed`.
     */
    readonly state: 'open' | 'closed' | 'void';
    /** ISO 4217; the package's. */
    readonly currency: string;
    /** The sum of the bets that stand. */
    readonly bet_total: Amount;
    /** The sum of the wins. */
    readonly win_total: Amount;
    /** A round_id may be shared by several players, each with a part of their own. */
    readonly players: readonly {
      /** The caller's own identifier of the player. */
      readonly player_id: string;
      /** The provider's identifier of the game. */
      readonly game_id: string | null;
      /** `void` while no bet or win counts, because each was refused or rolled back. */
      readonly state: 'open' | 'closed' | 'void';
      /** Bets that stand: what was rolled back is taken out. */
      readonly bet_total: Amount;
      /** The sum of the wins. */
      readonly win_total: Amount;
      /** When its first bet came; ISO 8601, UTC. */
      readonly opened_at: string;
      /** When it was closed; null while it is open. */
      readonly closed_at: string | null;
    }[];
    /** In the order in which they happened. */
    readonly events: readonly {
      /** The event's place in the package's journal. */
      readonly sequence: number;
      /** When it was made; ISO 8601, UTC. */
      readonly created_at: string;
      /** The caller's own identifier of the player. */
      readonly player_id: string;
      /** bet, win, rollback or end_round. */
      readonly kind: string;
      /** The caller's or the provider's own identifier: good once, for ever. */
      readonly transaction_id: string;
      /** A positive amount with at most the currency's decimals. */
      readonly amount: Amount;
      /** What it did to the player's balance. */
      readonly change: Amount;
      /** The balance after it, an exact decimal. */
      readonly balance: Amount;
      /** What came of it. */
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
  /** success, or error with a code. */
  readonly status: 'success';
  readonly data: {
    /** Movements of money; where it is a number, how many. */
    readonly movements: readonly FeedLine[];
    /** Where to go on, also on the last page. */
    readonly next_after: number;
    /** The page is full: there may be more. */
    readonly has_more: boolean;
  };
  readonly request_id: string;
}
