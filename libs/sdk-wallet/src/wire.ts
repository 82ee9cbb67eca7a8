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
  'events.shortfall',
  'movements.amount',
  'movements.balance',
  'movements.credit_change',
  'movements.player_change',
  'movements.shortfall',
  'players.balance',
  'players.bet_total',
  'players.win_total',
  'transactions.amount',
  'transactions.balance',
  'transactions.change',
  'transactions.shortfall',
]);

export type CreditAlert = null | {
  /**
   * `low` at the threshold, `critical` at a quarter of it, `exhausted` without available credit.
   */
  readonly level: 'low' | 'critical' | 'exhausted';
  /** The alert as a sentence. */
  readonly message: string;
  /** The package's `alert_threshold`. */
  readonly threshold: Amount;
  /** The package's credit. */
  readonly balance: Amount;
};

export interface Player {
  /** The caller's identifier of the player. */
  readonly player_id: string;
  /** The name. */
  readonly name: string;
  /** The package's currency, ISO 4217. */
  readonly currency: string;
  /** The balance after the operation, an exact decimal. */
  readonly balance: Amount;
  /** active or blocked. A blocked player cannot bet or launch games. */
  readonly status: 'active' | 'blocked';
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
}

export interface Game {
  /** The id for `game/launch`. */
  readonly game_id: string;
  /** The name of the game. */
  readonly game_name: string;
  /** The maker of the game. */
  readonly provider: string | null;
  /** The category of the game; null if it is not known. */
  readonly category: string | null;
  /** The address of a picture; null if there is none. */
  readonly image: string | null;
  /** More pictures by their shape, such as `square` and `wide`. */
  readonly images: Readonly<Record<string, string>> | null;
  /** Return to player, in per cent. */
  readonly rtp: number | null;
  /** The volatility of the game; null if the provider does not state it. */
  readonly volatility: string | null;
  /** Whether the game can be played without money. */
  readonly has_demo: boolean | null;
  /** The platforms on which the game can be played. */
  readonly platforms: readonly string[] | null;
  /** active, maintenance or disabled. */
  readonly status: 'active' | 'maintenance' | 'disabled' | null;
  /**
   * The id of the provider connection that the game comes from; absent for games of the provider
   * that the service is configured with.
   */
  readonly source?: string;
}

export interface StatementLine {
  /** The movement's position in the package's journal. */
  readonly sequence: number;
  /** credit, debit, bet, win, bet_win, rollback, win_reversal or end_round. */
  readonly kind: string;
  /** The caller's or the provider's identifier. It moves money at most once. */
  readonly transaction_id: string;
  /** A positive amount with at most the package's decimals. */
  readonly amount: Amount;
  /** The change of the balance; zero for a refusal. */
  readonly change: Amount;
  /** The balance after the operation, an exact decimal. */
  readonly balance: Amount;
  /** The outcome. The schema lists the values. */
  readonly result: string;
  /** The provider's identifier of the game. */
  readonly game_id: string | null;
  /** The provider's identifier of the round. */
  readonly round_id: string | null;
  /** Only for promo money: the amounts are those of the promo balance. */
  readonly purse?: 'promo';
  /** Only for a win that was taken back: the part that the balance did not cover. */
  readonly shortfall?: Amount;
  /** The provider connection. */
  readonly connection?: {
    /** The id of the connection, which is part of its address. */
    readonly id: string;
    /** The name. */
    readonly name: string;
    /** The provider's protocol. */
    readonly dialect: 'valkyrie' | 'softswiss' | 'hub88' | 'slotegrator';
  };
  /** A free text of the caller. */
  readonly note: string;
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
}

export interface FeedLine {
  /** Increases by one, without gaps. */
  readonly sequence: number;
  /** The time of creation; ISO 8601, UTC. */
  readonly created_at: string;
  /** The kind of the entry. The schema lists the values. */
  readonly kind: string;
  /** The outcome. The schema lists the values. */
  readonly result: string;
  /** The caller's or the provider's identifier. It moves money at most once. */
  readonly transaction_id: string;
  /** The caller's identifier of the player. */
  readonly player_id: string | null;
  /** A positive amount with at most the package's decimals. */
  readonly amount: Amount;
  /** The change of the player's balance. */
  readonly player_change: Amount;
  /** The change of the package's credit. */
  readonly credit_change: Amount;
  /** The player's balance after the movement; for a top-up, the package's credit. */
  readonly balance: Amount;
  /** The provider's identifier of the game. */
  readonly game_id: string | null;
  /** The provider's identifier of the round. */
  readonly round_id: string | null;
  /** Only for promo money: the amounts are those of the promo balance. */
  readonly purse?: 'promo';
  /** Only for a win that was taken back: the part that the balance did not cover. */
  readonly shortfall?: Amount;
  /** The provider connection. */
  readonly connection?: {
    /** The id of the connection, which is part of its address. */
    readonly id: string;
    /** The name. */
    readonly name: string;
    /** The provider's protocol. */
    readonly dialect: 'valkyrie' | 'softswiss' | 'hub88' | 'slotegrator';
  };
  /** A free text of the caller. */
  readonly note: string;
  /** The row's hash in the hash chain, as in the daily export. */
  readonly hash: string;
}

export interface GetPackageAnswer {
  readonly status: 'success';
  readonly data: {
    /** The package's identifier, UID_…. */
    readonly uid: string;
    /** The name. */
    readonly name: string;
    /** The current state. The schema lists the values. */
    readonly state: string;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** The decimals of the package's amounts, from those of its currency up to 8. */
    readonly decimals: number;
    /** The prepaid credit. */
    readonly balance: Amount;
    /** The amount by which the credit may fall below zero. */
    readonly overdraft_limit: Amount;
    /** The credit at which the alert begins. */
    readonly alert_threshold: Amount;
    /** Hosts whose pages may call the API, and to which players may return. */
    readonly domains: readonly string[];
    /** Whether this is a sandbox, which has play money. */
    readonly sandbox: boolean;
  };
  readonly request_id: string;
}

export interface CreatePlayerBody {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
  /** The package's currency. */
  readonly currency?: string | null | undefined;
  /** The name. */
  readonly name?: string | null | undefined;
  /** Your data about the player, as JSON of up to 4 KiB. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CreatePlayerAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The name. */
    readonly name: string;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** The balance after the operation, an exact decimal. */
    readonly balance: Amount;
    /** active or blocked. A blocked player cannot bet or launch games. */
    readonly status: 'active' | 'blocked';
    /** The time of creation; ISO 8601, UTC. */
    readonly created_at: string;
    /** False if the player existed already. */
    readonly created: boolean;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null while the credit is above the threshold. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface GetBalanceQuery {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
}

export interface GetBalanceAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The balance after the operation, an exact decimal. */
    readonly balance: Amount;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** active or blocked. A blocked player cannot bet or launch games. */
    readonly status: 'active' | 'blocked';
    /** Time of the last change of the balance; ISO 8601, UTC. */
    readonly updated_at: string;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null while the credit is above the threshold. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface ListPlayersQuery {
  /** A prefix of the id. */
  readonly search?: string | undefined;
  /** The most entries per page, from 1 to 100; 50 by default. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListPlayersAnswer {
  readonly status: 'success';
  readonly data: {
    /** The players. */
    readonly players: readonly Player[];
    /** The cursor of the next page; null on the last page. */
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface SetPlayerStatusBody {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
  /** `success`, or `error` if the answer has a `code`. */
  readonly status: 'active' | 'blocked';
}

export interface SetPlayerStatusAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** active or blocked. A blocked player cannot bet or launch games. */
    readonly status: 'active' | 'blocked';
  };
  readonly request_id: string;
}

export interface UpdateBalanceBody {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
  /**
   * `credit` raises the balance, `debit` lowers the balance; for top-ups `top_up` or
   * `top_up_reversal`.
   */
  readonly type: 'credit' | 'debit';
  /**
   * A JSON number or a plain decimal string, greater than zero, with no more decimals than the
   * package has.
   */
  readonly amount: Amount;
  /** The caller's own identifier, unique per package over all players. Ids never expire. */
  readonly transaction_id: string;
  /** `cash` by default. `promo` is the promo balance of the player. */
  readonly purse?: 'cash' | 'promo' | undefined;
  /** Free text. */
  readonly note?: string | null | undefined;
}

export interface UpdateBalanceAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The caller's or the provider's identifier. It moves money at most once. */
    readonly transaction_id: string;
    /**
     * `credit` raises the balance, `debit` lowers the balance; for top-ups `top_up` or
     * `top_up_reversal`.
     */
    readonly type: 'credit' | 'debit';
    /** A positive amount with at most the package's decimals. */
    readonly amount: Amount;
    /** The balance before the operation. */
    readonly balance_before: Amount;
    /** The balance after the operation, an exact decimal. */
    readonly balance: Amount;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** Only for promo money: the amounts are those of the promo balance. */
    readonly purse?: 'promo';
    /** A free text of the caller. */
    readonly note: string;
    /** The time of creation; ISO 8601, UTC. */
    readonly created_at: string;
    /** True if this request repeats one that was answered before. */
    readonly duplicate: boolean;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null while the credit is above the threshold. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface GetTransactionQuery {
  /** The caller's own identifier, unique per package over all players. Ids never expire. */
  readonly transaction_id: string;
}

export interface GetTransactionAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The caller's or the provider's identifier. It moves money at most once. */
    readonly transaction_id: string;
    /**
     * `credit` raises the balance, `debit` lowers the balance; for top-ups `top_up` or
     * `top_up_reversal`.
     */
    readonly type: 'credit' | 'debit';
    /** A positive amount with at most the package's decimals. */
    readonly amount: Amount;
    /** The balance before the operation. */
    readonly balance_before: Amount;
    /** The balance after the operation, an exact decimal. */
    readonly balance: Amount;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** Only for promo money: the amounts are those of the promo balance. */
    readonly purse?: 'promo';
    /** A free text of the caller. */
    readonly note: string;
    /** The time of creation; ISO 8601, UTC. */
    readonly created_at: string;
    /** The outcome. The schema lists the values. */
    readonly result: 'applied' | 'refused';
    /** The reason of a refusal. */
    readonly code?: string;
  };
  readonly request_id: string;
}

export interface ListTransactionsQuery {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
  /** `cash` by default, or `promo` for the statement of promo money. */
  readonly purse?: 'cash' | 'promo' | undefined;
  /** The most entries per page, from 1 to 100; 50 by default. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListTransactionsAnswer {
  readonly status: 'success';
  readonly data: {
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The transactions, newest first. */
    readonly transactions: readonly StatementLine[];
    /** The cursor of the next page; null on the last page. */
    readonly next_cursor: string | null;
  };
  readonly request_id: string;
}

export interface ListGamesQuery {
  /** Only games of this provider, in any letter case. */
  readonly provider?: string | undefined;
  /** Only games of this category, in any letter case. */
  readonly category?: string | undefined;
  /** A part of the name or the id, in any letter case. */
  readonly search?: string | undefined;
  /** The largest number of games, from 1 to 1000; all games by default. */
  readonly limit?: number | string | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

export interface ListGamesAnswer {
  readonly status: 'success';
  readonly data: {
    /** In the order of their ids. A field that the provider does not send is null. */
    readonly games: readonly Game[];
    /**
     * The API of the provider that sent the list; `stale` for the last good copy if neither
     * answered.
     */
    readonly source: 'private' | 'public' | 'stale';
    /** When the provider last confirmed the list. */
    readonly updated_at: string;
    /** The number of games that match the filters, on all pages. */
    readonly total: number;
    /** The cursor of the next page; null on the last page. */
    readonly next_cursor: string | null;
    /** The provider connections that list games, oldest first. Absent if the package has none. */
    readonly sources?: readonly {
      /** The id of the provider connection. */
      readonly source: string;
      /**
       * `stale`: the connection did not answer, and its last good copy is listed. `unavailable`:
       * none of its games is listed, because it did not answer and has no copy. `too_large`: none
       * of its games is listed, because its list exceeds a limit of the wallet.
       */
      readonly state: 'current' | 'stale' | 'unavailable' | 'too_large';
      /** When the connection last confirmed its list. */
      readonly updated_at: string | null;
      /** The number of games of the connection, before any filter. */
      readonly total: number;
    }[];
  };
  readonly request_id: string;
}

export interface LaunchGameBody {
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id: string;
  /** The provider's identifier of the game. */
  readonly game_id: string;
  /** The package's currency. */
  readonly currency?: string | null | undefined;
  /** A language tag. */
  readonly language?: string | null | undefined;
  /** The address that the player returns to, on a whitelisted domain of the package. */
  readonly return_url?: string | null | undefined;
  /** desktop or mobile. */
  readonly platform?: 'desktop' | 'mobile' | null | undefined;
  /** `real` by default. */
  readonly mode?: 'real' | 'demo' | null | undefined;
}

export interface LaunchGameAnswer {
  readonly status: 'success';
  readonly data: {
    /** Valid once, for this player only. Do not store it. */
    readonly launch_url: string;
    /** Time until which the launch address is valid. */
    readonly launch_url_expires_at: string;
    /** The session. Its callbacks contain this id. */
    readonly session_id: string;
    /** The end of the session. Later bets are refused; later wins and rollbacks are accepted. */
    readonly expires_at: string;
    /** The provider's identifier of the game. */
    readonly game_id: string;
    /** real or demo. */
    readonly mode: 'real' | 'demo';
    /** Where the data comes from. The schema lists the values. */
    readonly source: 'private' | 'shared';
    /** The balance after the operation, an exact decimal. */
    readonly balance: Amount;
    /** The package's currency, ISO 4217. */
    readonly currency: string;
  };
  /** The package's prepaid credit after the operation. */
  readonly package_balance: Amount;
  /** Null while the credit is above the threshold. */
  readonly credit_alert: CreditAlert;
  readonly request_id: string;
}

export interface EndSessionBody {
  /** The session that a launch opened. */
  readonly session_id: string;
}

export interface EndSessionAnswer {
  readonly status: 'success';
  readonly data: {
    /** The session that a launch opened. */
    readonly session_id: string;
    /** The caller's identifier of the player. */
    readonly player_id: string;
    /** The provider's identifier of the game. */
    readonly game_id: string;
    /** real or demo. */
    readonly mode: 'real' | 'demo';
    /** The current state. The schema lists the values. */
    readonly state: 'launching' | 'open' | 'expired' | 'ended' | 'failed';
    /** Where the data comes from. The schema lists the values. */
    readonly source: 'private' | 'shared' | null;
    /** Reason why the private launch failed; null if it succeeded. */
    readonly private_failure: string | null;
    /** The time of creation; ISO 8601, UTC. */
    readonly created_at: string;
    /** The time of expiry; ISO 8601, UTC. */
    readonly expires_at: string;
    /** End of the session; null while it runs. */
    readonly ended_at: string | null;
  };
  readonly request_id: string;
}

export interface GetRoundQuery {
  /** The provider's round_id. */
  readonly round_id: string;
  /** The caller's identifier of the player; case-sensitive. */
  readonly player_id?: string | undefined;
  /** The id of the connection, con_…. */
  readonly connection_id?: string | undefined;
}

export interface GetRoundAnswer {
  readonly status: 'success';
  readonly data: {
    /** The provider's identifier of the round. */
    readonly round_id: string;
    /**
     * `open` if the round is open for a listed player; `void` if it is void for every listed
     * player; otherwise `closed`.
     */
    readonly state: 'open' | 'closed' | 'void';
    /** The package's currency, ISO 4217. */
    readonly currency: string;
    /** The sum of the bets that were not rolled back. */
    readonly bet_total: Amount;
    /** The sum of the wins. */
    readonly win_total: Amount;
    /** Several players may share a round_id. Each has a separate part. */
    readonly players: readonly {
      /** The caller's identifier of the player. */
      readonly player_id: string;
      /** The provider's identifier of the game. */
      readonly game_id: string | null;
      /** `void` while no bet or win counts, because each was refused or rolled back. */
      readonly state: 'open' | 'closed' | 'void';
      /** The bets that were not rolled back. */
      readonly bet_total: Amount;
      /** The sum of the wins. */
      readonly win_total: Amount;
      /** Time of the first movement in the round; ISO 8601, UTC. */
      readonly opened_at: string;
      /** Time at which the round was closed; null if it is not closed. */
      readonly closed_at: string | null;
      /** Only for promo money: the amounts are those of the promo balance. */
      readonly purse?: 'promo';
      /** The provider connection. */
      readonly connection?: {
        /** The id of the connection, which is part of its address. */
        readonly id: string;
        /** The name. */
        readonly name: string;
        /** The provider's protocol. */
        readonly dialect: 'valkyrie' | 'softswiss' | 'hub88' | 'slotegrator';
      };
    }[];
    /** In the order in which they happened. */
    readonly events: readonly {
      /** The event's position in the package's journal. */
      readonly sequence: number;
      /** The time of creation; ISO 8601, UTC. */
      readonly created_at: string;
      /** The caller's identifier of the player. */
      readonly player_id: string;
      /** bet, win, rollback, win_reversal or end_round. */
      readonly kind: string;
      /** The caller's or the provider's identifier. It moves money at most once. */
      readonly transaction_id: string;
      /** A positive amount with at most the package's decimals. */
      readonly amount: Amount;
      /** The change of the player's balance. */
      readonly change: Amount;
      /** The balance after the operation, an exact decimal. */
      readonly balance: Amount;
      /** The outcome. The schema lists the values. */
      readonly result: string;
      /** Only for promo money: the amounts are those of the promo balance. */
      readonly purse?: 'promo';
      /** Only for a win that was taken back: the part that the balance did not cover. */
      readonly shortfall?: Amount;
      /** The provider connection. */
      readonly connection?: {
        /** The id of the connection, which is part of its address. */
        readonly id: string;
        /** The name. */
        readonly name: string;
        /** The provider's protocol. */
        readonly dialect: 'valkyrie' | 'softswiss' | 'hub88' | 'slotegrator';
      };
      /** False for a rollback or win that named a bet of the round, but not the round. */
      readonly names_round: boolean;
    }[];
    /** True if players or events were left out. Name a player to see the rest. */
    readonly truncated: boolean;
  };
  readonly request_id: string;
}

export interface ListFeedQuery {
  /** The `next_after` of the previous page. 0, the beginning, by default. */
  readonly after?: number | string | undefined;
  /** The most movements per page, from 1 to 1000; 100 by default. */
  readonly limit?: number | string | undefined;
}

export interface ListFeedAnswer {
  readonly status: 'success';
  readonly data: {
    /** The movements of money, or their number. */
    readonly movements: readonly FeedLine[];
    /** The `after` of the next request, also on the last page. */
    readonly next_after: number;
    /** True if the page is full: more movements may follow. */
    readonly has_more: boolean;
  };
  readonly request_id: string;
}
