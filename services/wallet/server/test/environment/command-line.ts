// Builders of ledger commands from the ids that callers and providers use.
import type {
  BetCommand,
  BetWinCommand,
  EndRoundCommand,
  RollbackCommand,
  TopUpCommand,
  TransferCommand,
  WinCommand,
} from '../../src/ledger/rules/command.ts';
import { hashId, hashNote, hashRound } from '../../src/ledger/rules/ids.ts';

export const ann = 1001n;
export const bob = 1002n;

interface Given {
  readonly id: string;
  readonly account?: bigint;
  readonly round?: string;
  readonly game?: string;
  readonly finished?: boolean;
}

const shared = (given: Given) => ({
  transactionId: given.id,
  account: given.account ?? ann,
  gameId: given.game,
  round: given.round === undefined ? undefined : { id: given.round, hash: hashRound('p', given.round) },
  roundFinished: given.finished ?? false,
});

interface Money {
  readonly id: string;
  readonly amount: bigint;
  readonly note?: string;
}

const written = ({ id, amount, note = '' }: Money) => ({
  transactionId: id,
  amount,
  note,
  noteHash: hashNote(note),
});

export const transferOf = (
  type: 'credit' | 'debit',
  given: Money & { account?: bigint },
): TransferCommand => ({
  type,
  account: given.account ?? ann,
  idHash: hashId('caller', given.id),
  ...written(given),
});

export const topUpOf = (type: TopUpCommand['type'], given: Money): TopUpCommand => ({
  type,
  idHash: hashId('admin', given.id),
  ...written(given),
});

export const betOf = (
  given: Given & { amount: bigint; blockedBy?: BetCommand['blockedBy']; maxStake?: bigint },
): BetCommand => ({
  type: 'bet',
  ...shared(given),
  idHash: hashId('bet:p', given.id),
  amount: given.amount,
  blockedBy: given.blockedBy,
  maxStake: given.maxStake,
});

export const winOf = (given: Given & { amount: bigint; of?: string }): WinCommand => ({
  type: 'win',
  ...shared(given),
  idHash: hashId('win:p', given.id),
  amount: given.amount,
  referenceHash: given.of === undefined ? undefined : hashId('bet:p', given.of),
});

export const betWinOf = (
  given: Given & { bet: bigint; win: bigint; blockedBy?: BetCommand['blockedBy'] },
): BetWinCommand => ({
  type: 'bet_win',
  ...shared(given),
  idHash: hashId('bet:p', given.id),
  winIdHash: hashId('win:p', given.id),
  betAmount: given.bet,
  winAmount: given.win,
  blockedBy: given.blockedBy,
});

export const rollbackOf = (given: Given & { of: string }): RollbackCommand => ({
  type: 'rollback',
  ...shared(given),
  idHash: hashId('rollback:p', given.id),
  referenceHash: hashId('bet:p', given.of),
  referenceAsWinHash: hashId('win:p', given.of),
});

export const endRoundOf = (given: { round: string; account?: bigint; game?: string }): EndRoundCommand => {
  const id = `${given.account ?? ann} ${given.round}`;
  const round = { id: given.round, hash: hashRound('p', given.round) };
  return {
    type: 'end_round',
    ...shared({ ...given, id }),
    round,
    idHash: hashId('end_round:p', id),
  };
};

const hashShared = (id: string) => hashId('connection:c', id);

/**
 * Builders for commands of a provider connection. All ids of the connection are in one id space. A rollback
 * may undo a bet or a win.
 */
export const sharedIds = {
  betOf: (given: Parameters<typeof betOf>[0]): BetCommand => ({
    ...betOf(given),
    idHash: hashShared(given.id),
  }),
  winOf: (given: Parameters<typeof winOf>[0] & { needsOpenRound?: boolean }): WinCommand => ({
    ...winOf(given),
    idHash: hashShared(given.id),
    referenceHash: given.of === undefined ? undefined : hashShared(given.of),
    needsOpenRound: given.needsOpenRound ?? false,
    isReversible: true,
  }),
  rollbackOf: (given: Parameters<typeof rollbackOf>[0]): RollbackCommand => ({
    ...rollbackOf(given),
    idHash: hashShared(given.id),
    referenceHash: hashShared(given.of),
    referenceAsWinHash: hashShared(given.of),
    undoes: 'any',
  }),
};
