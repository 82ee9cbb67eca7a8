// Turns a callback into a command to the ledger. Each hash covers the id, the provider and the kind of
// transaction.
import type { BetBlock, GameCommand } from '../ledger/rules/command.ts';
import { hashId, hashRound } from '../ledger/rules/ids.ts';
import { type PlayCallback, provider } from './callback.ts';

const hashBet = (id: string) => hashId(`bet:${provider}`, id);
const hashWin = (id: string) => hashId(`win:${provider}`, id);

/**
 * Returns the id of the command that ends a player's part in a round. The id contains the account, because
 * each player's part ends separately.
 */
const hashEnd = (account: bigint, roundId: string) =>
  hashId(`end_round:${provider}`, `${account} ${roundId}`);

export const hashRoundId = (roundId: string): string => hashRound(provider, roundId);

/**
 * Lists the hashes that the journal may contain for a transaction id of the provider: the hashes of a bet, a
 * win and a rollback with this id.
 */
export const hashesOf = (transactionId: string): string[] => [
  hashBet(transactionId),
  hashWin(transactionId),
  hashId(`rollback:${provider}`, transactionId),
];

/**
 * The properties are copied one by one, because this function runs for every callback and an object spread is
 * slow.
 */
export function toCommand(
  callback: PlayCallback,
  account: bigint,
  blockedBy: BetBlock | undefined,
  maxStake?: bigint,
): GameCommand {
  const { roundId, gameId, roundFinished } = callback;
  const round = roundId === undefined ? undefined : { id: roundId, hash: hashRoundId(roundId) };
  if (callback.action === 'end_round') return toEndRound(callback, account);
  const { transactionId } = callback;
  switch (callback.action) {
    case 'bet':
      return {
        type: 'bet',
        idHash: hashBet(transactionId),
        transactionId,
        account,
        gameId,
        round,
        roundFinished,
        amount: callback.amount,
        blockedBy,
        maxStake,
      };
    case 'win': {
      const { amount, reference } = callback;
      return {
        type: 'win',
        idHash: hashWin(transactionId),
        transactionId,
        account,
        gameId,
        round,
        roundFinished,
        amount,
        referenceHash: reference === undefined ? undefined : hashBet(reference),
      };
    }
    case 'bet_win': {
      return {
        type: 'bet_win',
        idHash: hashBet(transactionId),
        winIdHash: hashWin(transactionId),
        transactionId,
        account,
        gameId,
        round,
        roundFinished,
        betAmount: callback.betAmount,
        winAmount: callback.winAmount,
        blockedBy,
        maxStake,
      };
    }
    case 'rollback': {
      return {
        type: 'rollback',
        idHash: hashId(`rollback:${provider}`, transactionId),
        transactionId,
        account,
        gameId,
        round,
        roundFinished,
        referenceHash: hashBet(callback.reference),
        referenceAsWinHash: hashWin(callback.reference),
      };
    }
  }
}

function toEndRound(
  { action, roundId: id, gameId, roundFinished }: Extract<PlayCallback, { action: 'end_round' }>,
  account: bigint,
): GameCommand {
  return {
    type: action,
    idHash: hashEnd(account, id),
    transactionId: id,
    account,
    gameId,
    round: { id, hash: hashRoundId(id) },
    roundFinished,
  };
}
