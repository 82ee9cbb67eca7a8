// Turns the legs of a provider's call into a batch for the ledger. Each connection has its own space of
// hashed ids. If the ledger knows a name of a leg, `resolveName` replaces the leg or reports a conflict.
import type { BatchCommand, BetBlock, GameCommand } from '../ledger/rules/command.ts';
import type { BatchOutcome } from '../ledger/rules/decision.ts';
import { hashId, hashRound } from '../ledger/rules/ids.ts';
import { cashAccountOf, getSubject, type Movement, promoAccountOf } from '../ledger/rules/movement.ts';
import type { Leg, PlayCall } from './dialects/dialect.ts';

/**
 * Hashes the key of a transaction. Bets and wins of a connection share one id space, because a rollback names
 * only the id of its original.
 */
export const hashKey = (connectionId: string, key: string): string =>
  hashId(`connection:${connectionId}`, key);

/** The hash includes the connection, because two connections may use the same id for different rounds. */
export const hashRoundOf = (connectionId: string, roundId: string): string =>
  hashRound(connectionId, roundId);

/** Hashes the id of a request together with its connection, because two connections may use the same id. */
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
  const { isOneTransaction = false, requestId } = call;
  const { blockedBy, maxStake } = limits;
  // The cash and the promo money of one transaction are one stake. The batch limits this stake, so its legs
  // have no limit.
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
  const requestHash = requestId === undefined ? undefined : hashRequest(connectionId, requestId);
  return {
    type: 'batch',
    legs: call.legs.map(toCommand),
    isOneTransaction,
    maxStake: isOneTransaction ? maxStake : undefined,
    // A getter, because only repeats need these hashes.
    get absentHashes() {
      return call.absentKeys?.map((key) => hashKey(connectionId, key));
    },
    requestHash,
  };
}

/**
 * Finds the part of the round that belongs to the player's other purse. Cash and promo money are separate
 * parts of a round, but both parts end together. So the last leg of a finished round also ends the other
 * part. A promo leg must not open a closed round. The cash part shows whether the round is closed, because
 * every transaction has a cash leg.
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
 * Makes the command that ends a player's part in a round. The part ends only once, so the hash of the command
 * contains no transaction id. Every later call is a repeat and gets the first answer.
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

type KnownName = Extract<BatchOutcome, { kind: 'name_known' }>;

/**
 * The batch to submit instead or, if the call differs from the stored transaction, the name of the field that
 * differs.
 */
export type Resolved = { readonly command: BatchCommand } | { readonly conflict: string };

/**
 * Resolves a name that the ledger knows to the movement with this name. There are three cases. If a rollback
 * names its original by this name, the rollback refers to the movement. If the name alone identifies the leg
 * (`isKnownByName`), the leg becomes a repeat of the movement. Any other leg is a conflict, or becomes a leg
 * without this name. A name always belongs to the same movement, so later changes of the ledger cannot make
 * the new command wrong.
 */
export function resolveName(
  call: PlayCall,
  command: BatchCommand,
  { leg: index, hash }: KnownName,
  movement: Movement,
): Resolved {
  const sent = call.legs[index];
  const legs = command.legs.map((leg, i) => (i === index ? resolveLeg(sent, leg, hash, movement) : leg));
  const conflict = legs.find((leg) => typeof leg === 'string');
  if (conflict !== undefined) return { conflict };
  return { command: { ...command, legs: legs as readonly GameCommand[] } };
}

function resolveLeg(
  sent: Leg | undefined,
  leg: GameCommand,
  hash: string,
  movement: Movement,
): GameCommand | string {
  const { idHash } = movement;
  if (leg.type === 'rollback' && hash !== leg.nameHash) {
    return { ...leg, referenceHash: idHash, referenceAsWinHash: idHash };
  }
  const isKnownByName = sent !== undefined && sent.type !== 'end_round' && sent.isKnownByName;
  if (isKnownByName) return { ...leg, idHash, nameHash: undefined };
  return findDifference(leg, movement) ?? { ...leg, nameHash: undefined };
}

/**
 * Compares a leg with the movement of the same name. Returns the field that makes the leg a conflict, or
 * undefined if there is no conflict. A bet is always a conflict, because two bets never share an id. Several
 * wins of a round may share an id, because their references tell them apart.
 */
function findDifference(leg: GameCommand, movement: Movement): string | undefined {
  if (leg.type === 'bet') return 'transaction_id';
  if (cashAccountOf(getSubject(movement).account) !== cashAccountOf(leg.account)) return 'player_id';
  if (movement.roundHash !== leg.round?.hash) return 'round_id';
  return movement.gameId === leg.gameId ? undefined : 'game_id';
}
