// Reads players, with the balances that the ledger stores for them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { ReadAccounts } from '../ledger/engine/ledger.ts';
import { cashAccountOf, getSubject, type Movement, promoAccountOf } from '../ledger/rules/movement.ts';
import type { AccountState } from '../ledger/rules/state.ts';
import type { ListedPlayer, PlayerBalance, PlayerDetails, PlayerStanding, PlayerStatus } from './player.ts';

interface BalanceRow {
  player_id: string;
  status: PlayerStatus;
  balance: bigint;
  updated_at: Date;
  credit: bigint;
}

export interface FoundBalance {
  readonly player: PlayerBalance;
  readonly credit: bigint;
}

/**
 * Reads the balances of players, by player id, and the package's credit at the same moment, in one statement.
 */
export async function selectPlayerBalances(
  db: Queryable,
  packageId: number,
  playerIds: readonly string[],
): Promise<Map<string, FoundBalance>> {
  const { rows } = await db.query<BalanceRow>({
    name: 'select_player_balances',
    text: `select p.player_id, p.status, a.balance, a.updated_at, c.balance as credit
           from players p
           join accounts a on a.package_id = $1 and a.id = p.account_id
           join accounts c on c.package_id = $1 and c.id = 1
           where p.package_id = $1 and p.player_id = any ($2::text[])`,
    values: [packageId, playerIds],
  });
  const found = new Map<string, FoundBalance>();
  for (const { player_id: playerId, status, balance, updated_at: updatedAt, credit } of rows) {
    found.set(playerId, { player: { playerId, status, balance, updatedAt }, credit });
  }
  return found;
}

/** A player's account as a look-up finds it: its number and its state in the ledger. */
export interface FoundAccount {
  readonly playerId: string;
  readonly id: bigint;
  readonly state: AccountState;
  readonly updatedAt: Date;
}

export interface FoundAccounts extends ReadAccounts {
  readonly accounts: readonly FoundAccount[];
}

interface AccountRow {
  player_id: string;
  account_id: bigint;
  balance: bigint;
  last_sequence: bigint;
  updated_at: Date;
  head: bigint;
}

const toFoundAccounts = (rows: readonly AccountRow[]): FoundAccounts => ({
  sequence: rows[0]?.head ?? 0n,
  accounts: rows.map((row) => ({
    playerId: row.player_id,
    id: row.account_id,
    state: { balance: row.balance, lastSequence: row.last_sequence },
    updatedAt: row.updated_at,
  })),
});

const accountFields = 'a.balance, a.last_sequence, a.updated_at';
const headOfPackage = '(select sequence from ledger_heads where package_id = $1) as head';

/** Finds accounts by the ids of the players. The result has no entry for an unknown player. */
export async function selectAccountsOfPlayers(
  db: Queryable,
  packageId: number,
  playerIds: readonly string[],
): Promise<FoundAccounts> {
  const { rows } = await db.query<AccountRow>({
    name: 'select_accounts_of_players',
    text: `select p.player_id, p.account_id, ${accountFields}, ${headOfPackage}
           from players p
           cross join lateral (select * from accounts
             where package_id = $1 and id = p.account_id limit 1) as a
           where p.package_id = $1 and p.player_id = any ($2::text[])`,
    values: [packageId, playerIds],
  });
  return toFoundAccounts(rows);
}

/**
 * Lists the players whose last movement is after the sequence `after` and not after `upTo`, beginning with
 * the latest movement. A row of the journal finds the account only if it is the account's last movement. So
 * no index over the times of accounts is needed, which every movement would have to update.
 */
export async function selectLastMoved(
  db: Queryable,
  wanted: { packageId: number; after: bigint; upTo: bigint },
): Promise<FoundAccounts> {
  const { rows } = await db.query<AccountRow>({
    name: 'select_last_moved',
    text: `select p.player_id, p.account_id, ${accountFields}, ${headOfPackage}
           from (select sequence, greatest(debit_account, credit_account) as account_id from journal
             where package_id = $1 and sequence > $2 and sequence <= $3 order by sequence desc) as j
           cross join lateral (select * from accounts
             where package_id = $1 and id = j.account_id and last_sequence = j.sequence limit 1) as a
           cross join lateral (select * from players
             where package_id = $1 and account_id = a.id limit 1) as p
           order by j.sequence desc`,
    values: [wanted.packageId, wanted.after, wanted.upTo],
  });
  return toFoundAccounts(rows);
}

/**
 * Reads `limit` players before the account number `before`, beginning with the newest player. The result
 * contains those whose last movement is not after the sequence `movedUpTo`; 0 selects players who have no
 * movement. `next` is the value of `before` for the next page, or undefined if there are no more players.
 */
export async function selectNewestPlayers(
  db: Queryable,
  wanted: { packageId: number; before: bigint; movedUpTo: bigint; limit: number },
): Promise<FoundAccounts & { readonly next: bigint | undefined }> {
  const { rows } = await db.query<AccountRow & { is_wanted: boolean }>({
    name: 'select_newest_players',
    text: `select p.player_id, p.account_id, ${accountFields}, a.id is not null as is_wanted,
             ${headOfPackage}
           from (select player_id, account_id from players
             where package_id = $1 and account_id < $2 order by account_id desc limit $4) as p
           left join lateral (select * from accounts
             where package_id = $1 and id = p.account_id and last_sequence <= $3 limit 1) as a on true
           order by p.account_id desc`,
    values: [wanted.packageId, wanted.before, wanted.movedUpTo, wanted.limit],
  });
  const next = rows.length < wanted.limit ? undefined : rows.at(-1)?.account_id;
  return { ...toFoundAccounts(rows.filter((row) => row.is_wanted)), next };
}

/**
 * The status and maximum stake of players without a limit. Up to 200,000 players are cached, and most of them
 * share these two objects, which saves memory.
 */
const unlimited: Readonly<Record<PlayerStatus, PlayerStanding>> = {
  active: { status: 'active', maxStake: undefined },
  blocked: { status: 'blocked', maxStake: undefined },
};

export async function selectStandings(
  db: Queryable,
  packageId: number,
  playerIds: readonly string[],
): Promise<(PlayerStanding | undefined)[]> {
  const { rows } = await db.query<{ player_id: string; status: PlayerStatus; max_stake: bigint | null }>({
    name: 'select_standings',
    text: `select player_id, status, max_stake from players
           where package_id = $1 and player_id = any ($2::text[])`,
    values: [packageId, playerIds],
  });
  const found = new Map(
    rows.map(({ player_id: playerId, status, max_stake: maxStake }) => [
      playerId,
      maxStake === null ? unlimited[status] : { status, maxStake },
    ]),
  );
  return playerIds.map((playerId) => found.get(playerId));
}

/** The account number of a player, for operations that are not on the hot path. */
export async function getAccount(db: Queryable, packageId: number, playerId: string): Promise<bigint> {
  const { accounts } = await selectAccountsOfPlayers(db, packageId, [playerId]);
  const [account] = accounts;
  if (account === undefined) throw fail('player_not_found');
  return account.id;
}

export const playerFields = `p.package_id, p.account_id, p.player_id, p.name, p.status, p.created_at,
  a.balance`;

/** Finds a player by the id that the caller chose for the player. */
export const findPlayer = (db: Queryable, { packageId, playerId }: { packageId: number; playerId: string }) =>
  queryRow<ListedPlayer>(db, {
    name: 'select_player',
    text: `select ${playerFields} from players p
           join accounts a on a.package_id = $1 and a.id = p.account_id
           where p.package_id = $1 and p.player_id = $2`,
    values: [packageId, playerId],
  });

/** Finds a player. The result also contains the player's maximum stake and promo balance. */
export const findPlayerDetails = (db: Queryable, key: { packageId: number; playerId: string }) =>
  queryRow<PlayerDetails>(
    db,
    `select ${playerFields}, p.max_stake, o.balance as promo_balance from players p
     join accounts a on a.package_id = $1 and a.id = p.account_id
     left join accounts o on o.package_id = $1 and o.id = p.account_id + $3::bigint
     where p.package_id = $1 and p.player_id = $2`,
    [key.packageId, key.playerId, promoAccountOf(0n)],
  );

/** A page of players in byte order of their ids, after `after`. `search` is a prefix of the id. */
export async function listPlayers(
  db: Queryable,
  wanted: { packageId: number; search: string; after: string; limit: number },
): Promise<{ players: ListedPlayer[]; next: string | undefined }> {
  const { packageId, search, after, limit } = wanted;
  const found = await queryRows<ListedPlayer>(db, {
    name: 'select_players',
    text: `select ${playerFields} from players p
           join accounts a on a.package_id = $1 and a.id = p.account_id
           where p.package_id = $1 and p.player_id collate "C" > $2
             and starts_with(p.player_id, $3) and p.player_id collate "C" >= $3
             and ($5 = '' or p.player_id collate "C" < $5)
           order by p.player_id collate "C" limit $4`,
    values: [packageId, after, search, limit + 1, afterPrefix(search)],
  });
  const players = found.slice(0, limit);
  return { players, next: found.length > limit ? players.at(-1)?.playerId : undefined };
}

/**
 * The first text that sorts after all texts with the prefix, so that an index scan can stop at this text. The
 * result is empty if there is no such text.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? 0;
    if (last >= 0x10ffff) continue;
    const next = last + 1 >= 0xd800 && last + 1 <= 0xdfff ? 0xe000 : last + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return '';
}

/** The player whose money a movement moved. */
export async function getPlayerOfMovement(
  db: Queryable,
  packageId: number,
  movement: Movement,
): Promise<{ playerId: string }> {
  const { account } = getSubject(movement);
  const { rows } = await db.query<{ player_id: string }>({
    name: 'select_player_by_account',
    text: 'select player_id from players where package_id = $1 and account_id = $2',
    values: [packageId, cashAccountOf(account)],
  });
  if (!rows[0]) throw new Error(`account ${account} has no player`);
  return { playerId: rows[0].player_id };
}

/** The ids that callers chose for players, by the number of the cash or promo account. */
export async function nameAccounts(
  db: Queryable,
  packageId: number,
  accounts: Iterable<bigint>,
): Promise<ReadonlyMap<bigint, string>> {
  const wanted = new Set(accounts);
  const { rows } = await db.query<{ account_id: bigint; player_id: string }>(
    'select account_id, player_id from players where package_id = $1 and account_id = any ($2)',
    [packageId, [...new Set([...wanted].map(cashAccountOf))]],
  );
  const names = new Map(rows.map((row) => [row.account_id, row.player_id]));
  const named = [...wanted].map((account) => [account, names.get(cashAccountOf(account))] as const);
  return new Map(named.filter((each): each is [bigint, string] => each[1] !== undefined));
}
