// Turns the legs of a provider's call into a batch for the ledger. Ids are hashed in the connection's space.
import type { BatchCommand, BetBlock, GameCommand } from '../ledger/rules/command.ts';
import { hashId, hashRound } from '../ledger/rules/ids.ts';
import { promoAccountOf } from '../ledger/rules/movement.ts';
import type { Leg, PlayCall } from './dialects/dialect.ts';

/**
 * Hashes a key. All transactions of a connection share one id space, so that a rollback can name a bet or a
 * win.
 */
export const hashKey = (connectionId: string, key: string): string =>
  hashId(`connection:${connectionId}`, key);

/** The hash includes the connection, because two connections may use the same id for different rounds. */
export const hashRoundOf = (connectionId: string, roundId: string): string =>
  hashRound(connectionId, roundId);

export interface Limits {
  /** The reason to refuse every new bet of the call; undefined if new bets are allowed. */
  readonly blockedBy: BetBlock | undefined;
  readonly maxStake: bigint | undefined;
}

export function toBatch(connectionId: string, call: PlayCall, account: bigint, limits: Limits): BatchCommand {
  const { gameId, roundId } = call;
  const round = roundId === undefined ? undefined : { id: roundId, hash: hashRoundOf(connectionId, roundId) };
  const { isOneTransaction = false, requestId } = call;
  const { blockedBy, maxStake } = limits;
  // The cash and the promo money of one transaction are one stake, which the batch limits.
  const maxStakeOfLeg = isOneTransaction ? undefined : maxStake;
  const toCommand = (leg: Leg, index: number): GameCommand => {
    if (leg.type === 'end_round') return toEndRound(connectionId, call, account);
    const game = {
      idHash: hashKey(connectionId, leg.key),
      transactionId: leg.transactionId,
      account: leg.purse === 'promo' ? promoAccountOf(account) : account,
      gameId,
      round,
      // A closed round accepts no further bets, so only the last leg closes the round.
      roundFinished: call.roundFinished && index === call.legs.length - 1,
      otherPart: findOtherPart(call, account, index),
      nameHash: leg.nameKey === undefined ? undefined : hashKey(connectionId, leg.nameKey),
    };
    switch (leg.type) {
      case 'bet':
        return { type: 'bet', ...game, amount: leg.amount, blockedBy, maxStake: maxStakeOfLeg };
      case 'win': {
        const referenceHash = leg.betKey === undefined ? undefined : hashKey(connectionId, leg.betKey);
        const { amount, needsOpenRound } = leg;
        return { type: 'win', ...game, amount, referenceHash, needsOpenRound, isReversible: true };
      }
      case 'rollback': {
        const referenceHash = hashKey(connectionId, leg.originalKey);
        const { undoes } = leg;
        const referenceNames = leg.originalNames?.map((name) => hashKey(connectionId, name));
        const references = { referenceHash, referenceAsWinHash: referenceHash, referenceNames };
        return { type: 'rollback', ...game, ...references, undoes };
      }
    }
  };
  const requestHash = requestId === undefined ? undefined : hashId(`request:${connectionId}`, requestId);
  return {
    type: 'batch',
    legs: call.legs.map(toCommand),
    isOneTransaction,
    maxStake: isOneTransaction ? maxStake : undefined,
    absentHashes: call.absentKeys?.map((key) => hashKey(connectionId, key)),
    requestHash,
  };
}

/**
 * Cash and promo money are separate parts of a round, which end together. The last leg of a finished round
 * ends the part of the other purse. A leg of promo money needs the part of cash, because every transaction
 * has a cash leg and the promo leg must not open a round that is closed.
 */
function findOtherPart(
  { legs, roundId, roundFinished, usesPromo }: PlayCall,
  account: bigint,
  index: number,
): bigint | undefined {
  const leg = legs[index];
  if (!usesPromo || roundId === undefined || !leg || leg.type === 'end_round') return undefined;
  if (leg.purse === 'promo') return account;
  return roundFinished && index === legs.length - 1 ? promoAccountOf(account) : undefined;
}

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
