// A callback as a command to the ledger: ids hashed in the spaces of their provider and leg.
import type { BetBar, GameCommand } from '../ledger/command.ts';
import { hashId, hashRound } from '../ledger/ids.ts';
import { type PlayCallback, provider } from './callback.ts';

const hashBet = (id: string) => hashId(`bet:${provider}`, id);
const hashWin = (id: string) => hashId(`win:${provider}`, id);

/** Rounds belong to a provider; each player's part in one ends by itself. */
const hashEnd = (account: bigint, roundId: string) =>
  hashId(`end_round:${provider}`, `${account} ${roundId}`);

export const hashRoundId = (roundId: string): string => hashRound(provider, roundId);

/** Every name that a transaction id of the provider may have in the journal. */
export const hashesOf = (transactionId: string): string[] => [
  hashBet(transactionId),
  hashWin(transactionId),
  hashId(`rollback:${provider}`, transactionId),
];

export function toCommand(
  callback: PlayCallback,
  account: bigint,
  barred: BetBar | undefined,
): GameCommand {
  const { roundId, gameId, roundFinished } = callback;
  const round = roundId === undefined ? undefined : { id: roundId, hash: hashRoundId(roundId) };
  if (callback.action === 'end_round') {
    const { roundId: id } = callback;
    const idHash = hashEnd(account, id);
    const ended = { id, hash: hashRoundId(id) };
    return {
      type: 'end_round',
      idHash,
      transactionId: id,
      account,
      gameId,
      round: ended,
      roundFinished,
    };
  }
  const { transactionId } = callback;
  const game = { transactionId, account, gameId, round, roundFinished };
  switch (callback.action) {
    case 'bet': {
      const { amount } = callback;
      return { type: 'bet', ...game, idHash: hashBet(transactionId), amount, barred };
    }
    case 'win': {
      const { amount, reference } = callback;
      const referenceHash = reference === undefined ? undefined : hashBet(reference);
      return { type: 'win', ...game, idHash: hashWin(transactionId), amount, referenceHash };
    }
    case 'bet_win': {
      const { betAmount, winAmount } = callback;
      const ids = { idHash: hashBet(transactionId), winIdHash: hashWin(transactionId) };
      return { type: 'bet_win', ...game, ...ids, betAmount, winAmount, barred };
    }
    case 'rollback': {
      const { reference } = callback;
      return {
        type: 'rollback',
        ...game,
        idHash: hashId(`rollback:${provider}`, transactionId),
        referenceHash: hashBet(reference),
        referenceAsWinHash: hashWin(reference),
      };
    }
  }
}
