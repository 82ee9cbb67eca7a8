// Carries out the provider's calls about a session, a transaction or a round, and replaces a session's token.
import type { Db } from '@counterfoil/kit/postgres/db';
import { isPlayable, type PlaySession, type SessionFinder } from '../callbacks/find-running-session.ts';
import { replaceSession } from '../games/game-session.ts';
import { listNamedMovements } from '../ledger/queries.ts';
import { listRoundParts } from '../ledger/round-queries.ts';
import { cashAccountOf, getSubject, isPromoAccount, type Kind } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import type { CallResult, FoundTransaction, ProviderCall } from './dialects/dialect.ts';
import type { FoundConnection } from './find-connection.ts';
import type { PurseReader } from './read-purses.ts';
import { hashKey, hashRoundOf } from './to-batch.ts';

export interface LookupDeps {
  readonly db: Db;
  readonly purses: PurseReader;
  readonly sessions: SessionFinder;
  readonly now: () => Date;
}

/**
 * Whether the connection may use the session: the session is for a game of this connection or of the
 * configured upstream. Any other session gets the same answer as an unknown session.
 */
export const belongsTo = ({ connectionId }: PlaySession, { id }: { id: string }): boolean =>
  connectionId === undefined || connectionId === id;

type SessionCall = Extract<ProviderCall, { token: string | undefined }>;
type Lookup = Extract<ProviderCall, { kind: 'transactions' | 'round' }>;

/** Reads a session. `replace_session` also ends the session and opens a new session with a new token. */
export async function runSessionCall(
  deps: LookupDeps,
  { connection, customerPackage }: FoundConnection,
  { kind, token }: SessionCall,
): Promise<CallResult> {
  const { id: packageId } = customerPackage;
  const session = token === undefined ? undefined : await deps.sessions.find(packageId, token);
  if (!token || !session || !belongsTo(session, connection)) {
    return { kind: 'failed', code: 'session_not_found' };
  }
  const now = deps.now();
  const { accountId, gameId } = session;
  // The session can be read even after it has expired or was replaced, because Valkyrie reads it before it
  // sends late deposits and cancels.
  if (kind === 'replace_session' && !isPlayable(session, now)) {
    const balances = await deps.purses.read(packageId, accountId);
    return { kind: 'failed', code: 'session_expired', balances };
  }
  const names = await nameAccounts(deps.db, packageId, [accountId]);
  const playerId = names.get(accountId) ?? '';
  if (kind === 'session') return { kind: 'session', session: { token, playerId, gameId } };
  const fresh = await replaceSession(deps.db, { packageId, sessionId: token, session, at: now });
  return { kind: 'session', session: { token: fresh, playerId, gameId } };
}

/** Returns the player of a session, which may have ended; undefined if the connection has no such session. */
export async function findPlayerOf(
  { db, sessions }: LookupDeps,
  { connection, customerPackage }: FoundConnection,
  token: string,
): Promise<string | undefined> {
  const session = await sessions.find(customerPackage.id, token);
  if (!session || !belongsTo(session, connection)) return undefined;
  return (await nameAccounts(db, customerPackage.id, [session.accountId])).get(session.accountId);
}

/**
 * Runs a search. If the search finds nothing, the result is a failure, because the answer to a failure can
 * contain the balance.
 */
export async function runLookup(
  deps: LookupDeps,
  { connection, customerPackage }: FoundConnection,
  call: Lookup,
  account: bigint,
): Promise<CallResult> {
  const { id: packageId } = customerPackage;
  if (call.kind === 'round') {
    const hashes = [hashRoundOf(connection.id, call.roundId)];
    const [part] = await listRoundParts(deps.db, { packageId, hashes, accounts: [account], limit: 1 });
    if (!part) return { kind: 'failed', code: 'round_not_found' };
    const { openedAt, closedAt, gameId } = part;
    return { kind: 'round', round: { roundId: call.roundId, gameId, openedAt, closedAt } };
  }
  const byHash = new Map(call.keys.map((key) => [hashKey(connection.id, key), key]));
  const found = await listNamedMovements(deps.db, packageId, [...byHash.keys()]);
  const transactions = found.flatMap(({ hash, movement }): FoundTransaction[] => {
    const subject = getSubject(movement).account;
    const type = typeOf(movement.kind);
    if (!type || cashAccountOf(subject) !== account) return [];
    return [
      {
        key: byHash.get(hash) ?? '',
        transactionId: movement.transactionId,
        type,
        purse: isPromoAccount(subject) ? 'promo' : 'cash',
        amount: movement.amount,
        gameId: movement.gameId,
        // The journal has only the hash of the round id. The provider asks for the transactions of one bet,
        // so it does not need the round id.
        roundId: undefined,
        at: new Date(movement.createdAtMs),
      },
    ];
  });
  if (transactions.length === 0) return { kind: 'failed', code: 'bet_not_found' };
  return { kind: 'transactions', transactions };
}

function typeOf(kind: Kind): FoundTransaction['type'] | undefined {
  if (kind === 'bet' || kind === 'win') return kind;
  return kind === 'rollback' || kind === 'win_reversal' ? 'rollback' : undefined;
}
