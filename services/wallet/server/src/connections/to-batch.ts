// Turns the legs of a provider's call into a batch for the ledger. Ids are hashed in the connection's space.
import type { BatchCommand, BetBlock, GameCommand } from '../ledger/rules/command.ts';
import { hashId, hashRound } from '../ledger/rules/ids.ts';
import { promoAccountOf } from '../ledger/rules/movement.ts';
import type { Leg, PlayCall, Purse } from './dialects/dialect.ts';

/**
 * Hashes a key. All transactions of a connection share one id space, so that a rollback can name a bet or a
 * win.
 */
export const hashKey = (connectionId: string, key: string): string =>
  hashId(`connection:${connectionId}`, key);

/** The hash includes the connection, because two connections may use the same id for different rounds. */
export const hashRoundOf = (connectionId: string, roundId: string): string =>
  hashRound(connectionId, roundId);

/** Hashes the id of a request, in the space of its connection. */
export const hashRequest = (connectionId: string, requestId: string): string =>
  hashId(`request:${connectionId}`, requestId);

export interface Limits {
  /** The reason to refuse every new bet of the call; undefined if new bets are allowed. */
  readonly blockedBy: BetBlock | undefined;
  readonly maxStake: bigint | undefined;
}

export function toBatch(connectionId: string, call: PlayCall, account: bigint, limits: Limits): BatchCommand {
  const { gameId, roundId } = call;
  const round = roundId === undefined ? undefined : { id: roundId, hash: hashRoundOf(connectionId, roundId) };
  const toCommand = (leg: Leg, index: number): GameCommand => {
    if (leg.type === 'end_round') return toEndRound(connectionId, call, account);
    const game = {
      idHash: hashKey(connectionId, leg.key),
      transactionId: leg.transactionId,
      account: leg.purse === 'promo' ? promoAccountOf(account) : account,
      gameId,
      round,
      // A closed round accepts no further bets, so only the last leg closes the round. Cash and promo money
      // are separate parts of a round. Therefore the last leg with cash and the last leg with promo money
      // each close their part.
      roundFinished: call.roundFinished && isLastOfPurse(call.legs, index, leg.purse),
    };
    switch (leg.type) {
      case 'bet':
        return { type: 'bet', ...game, amount: leg.amount, ...limitBet(call, leg.amount, limits) };
      case 'win': {
        const referenceHash = leg.betKey === undefined ? undefined : hashKey(connectionId, leg.betKey);
        const { amount, needsOpenRound } = leg;
        return { type: 'win', ...game, amount, referenceHash, needsOpenRound, isReversible: true };
      }
      case 'rollback': {
        const referenceHash = hashKey(connectionId, leg.originalKey);
        const { undoes } = leg;
        return { type: 'rollback', ...game, referenceHash, referenceAsWinHash: referenceHash, undoes };
      }
    }
  };
  const { isOneTransaction = false, requestId } = call;
  const requestHash = requestId === undefined ? undefined : hashRequest(connectionId, requestId);
  return { type: 'batch', legs: call.legs.map(toCommand), isOneTransaction, requestHash };
}

/**
 * The cash and the promo money of one transaction are one stake. The amount of the other leg therefore lowers
 * the limit of this leg.
 */
function limitBet({ legs, isOneTransaction }: PlayCall, amount: bigint, { blockedBy, maxStake }: Limits) {
  if (maxStake === undefined || !isOneTransaction) return { blockedBy, maxStake };
  const stake = legs.reduce((sum, leg) => (leg.type === 'bet' ? sum + leg.amount : sum), 0n);
  return { blockedBy, maxStake: maxStake - (stake - amount) };
}

const isLastOfPurse = (legs: readonly Leg[], index: number, purse: Purse): boolean =>
  !legs.slice(index + 1).some((leg) => leg.type === 'end_round' || leg.purse === purse);

/**
 * Makes the command that ends a player's part in a round. Its hash contains no transaction id, because the
 * part ends only once: every later call is a repeat and gets the first answer.
 */
function toEndRound(connectionId: string, { roundId, gameId }: PlayCall, account: bigint): GameCommand {
  if (roundId === undefined) throw new Error('a call that ends a round names no round');
  return {
    type: 'end_round',
    idHash: hashId(`end_round:${connectionId}`, `${account} ${roundId}`),
    transactionId: roundId,
    account,
    gameId,
    round: { id: roundId, hash: hashRoundOf(connectionId, roundId) },
    roundFinished: true,
  };
}
