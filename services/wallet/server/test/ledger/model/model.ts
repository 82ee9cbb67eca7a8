// A second, naive implementation of the contract's money rules: one list, searched from its start each time.
import type {
  BetCommand,
  BetWinCommand,
  Command,
  EndRoundCommand,
  GameCommand,
  RollbackCommand,
  TopUpCommand,
  TransferCommand,
  WinCommand,
} from '../../../src/ledger/rules/command.ts';
import { listDifferences } from './differences.ts';

const credit = 1n;
const house = 2n;
const issuance = 3n;
const most = 999_999_999_999_999n;

/** A stored command with its transfer. */
interface Entry {
  readonly command: Command;
  readonly idHash: string;
  readonly from: bigint;
  readonly to: bigint;
  readonly amount: bigint;
  readonly result: string;
  /** The part of a win that could not be taken back. */
  readonly shortfall?: bigint;
  /** Whether a batch stored the entry. Only a batch stores names. */
  readonly isOfBatch?: boolean;
  /** The name of the second tombstone that a rollback in a batch stores for the bet that it undoes. */
  readonly tombstoneOf?: string | undefined;
}

export type Answer =
  | { readonly kind: 'stored' | 'repeated'; readonly entries: readonly Entry[] }
  /** All fields that differ. The ledger may name any one of them. */
  | { readonly kind: 'conflict'; readonly fields: readonly string[] }
  /** Only in a batch: the name of the command, or of the transaction that it undoes, is already stored. */
  | { readonly kind: 'name_known'; readonly hash: string }
  | { readonly kind: 'refused'; readonly codes: readonly string[] };

export interface Model {
  readonly entries: readonly Entry[];
  balance(account: bigint): bigint;
  /** The status of a round of one player, or undefined if no entry names the round. */
  roundStatus(round: { account: bigint; hash: string }): 'open' | 'closed' | 'void' | undefined;
  /** Returns the answer that the command would get now, and stores nothing. */
  ask(command: Command): Answer;
  /** Returns the answer to the command, and stores the entries of the command. */
  apply(command: Command): Answer;
  /**
   * Applies the commands of a batch and returns their answers. If a command is refused, its answer is the
   * last answer and nothing is stored.
   */
  applyAll(commands: readonly Command[]): Answer[];
}

/**
 * Deviations from the contract that the model can simulate. If both are false, the model follows the contract
 * exactly.
 */
export interface Reading {
  /** Whether a refused bet or win with `round_finished` closes its round. */
  readonly refusalsCloseRounds: boolean;
  /**
   * Whether an unknown bet has at most one tombstone. If true, only the player of the first rollback of the
   * bet gets a tombstone. If a win has stored the id of the bet before the rollback, no player gets one.
   */
  readonly oneTombstonePerBet: boolean;
}

export const strictly: Reading = { refusalsCloseRounds: false, oneTombstonePerBet: false };
export const asBuilt: Reading = { refusalsCloseRounds: false, oneTombstonePerBet: false };

const refusals = new Set(['insufficient_funds', 'package_credit_exhausted', 'balance_limit']);
const movements = new Set(['applied', 'late', 'rolled_back']);
const isRefusal = (entry: Entry) => refusals.has(entry.result);
const isBet = ({ command }: Entry) => command.type === 'bet' || command.type === 'bet_win';
const hasMoved = (entry: Entry) => movements.has(entry.result);

export function createModel(overdraft: bigint, reading: Reading): Model {
  const entries: Entry[] = [];

  const find = (idHash: string) => entries.find((entry) => entry.idHash === idHash);
  const accountOf = (command: Command) => ('account' in command ? command.account : credit);

  const balance = (account: bigint): bigint => {
    let sum = 0n;
    for (const entry of entries) {
      if (!hasMoved(entry)) continue;
      if (entry.to === account) sum += entry.amount;
      if (entry.from === account) sum -= entry.amount;
    }
    return sum;
  };

  const hasTombstone = (account: bigint, betHash: string): boolean => {
    let holder: bigint | undefined;
    let isTaken = false;
    for (const { command, result, idHash, tombstoneOf } of entries) {
      if (idHash === betHash) isTaken = true;
      if (command.type !== 'rollback') continue;
      if (tombstoneOf === betHash && command.account === account) return true;
      if (command.referenceHash !== betHash) continue;
      if (result !== 'tombstoned' || isTaken) continue;
      if (reading.oneTombstonePerBet) {
        const win = entries.findIndex((entry) => entry.idHash === command.referenceAsWinHash);
        const own = entries.findIndex((entry) => entry.idHash === idHash);
        if (win >= 0 && win < own) continue;
        holder ??= command.account;
        if (holder !== command.account) continue;
      }
      if (command.account === account) return true;
    }
    return false;
  };

  /** Whether a rollback for this player has rolled back this bet. */
  const wasRolledBack = (account: bigint, betHash: string) =>
    entries.some(
      ({ command, result }) =>
        command.type === 'rollback' &&
        command.account === account &&
        command.referenceHash === betHash &&
        result === 'rolled_back',
    );

  const entriesOfRound = (account: bigint, hash: string | undefined) =>
    entries.filter(
      ({ command }) =>
        'round' in command &&
        command.account === account &&
        command.round !== undefined &&
        command.round.hash === hash,
    );

  /**
   * The accounts whose parts in the round are closed. If a command names two accounts (`otherPart`), their
   * parts end together.
   */
  const listClosed = (hash: string | undefined): Set<bigint> => {
    const [existing, closed] = [new Set<bigint>(), new Set<bigint>()];
    for (const entry of entries) {
      const { command } = entry;
      if (!('round' in command) || command.round === undefined || command.round.hash !== hash) continue;
      const { account, otherPart } = command;
      existing.add(account);
      const ends = command.type === 'end_round' || command.roundFinished;
      if (ends && (reading.refusalsCloseRounds || !isRefusal(entry))) closed.add(account);
      if (otherPart === undefined) continue;
      if (closed.has(otherPart)) closed.add(account);
      if (closed.has(account) && existing.has(otherPart)) closed.add(otherPart);
    }
    return closed;
  };

  const isClosed = ({ account, round, otherPart = account }: GameCommand) => {
    const closed = listClosed(round?.hash);
    return closed.has(account) || closed.has(otherPart);
  };

  const roundStatus: Model['roundStatus'] = ({ account, hash }) => {
    const own = entriesOfRound(account, hash);
    const [first] = own;
    if (!first) return undefined;
    if (listClosed(hash).has(account)) return 'closed';
    const isRollback = (entry: Entry) => entry.command.type === 'rollback';
    const isStake = (entry: Entry) => !isRollback(entry) && entry.from === account;
    const hasBet = own.some(
      (entry) => isStake(entry) && !isRefusal(entry) && !wasRolledBack(account, entry.idHash),
    );
    const hasWin = own.some(
      (entry) =>
        !isRollback(entry) &&
        !isStake(entry) &&
        hasMoved(entry) &&
        entry.amount > takenBack(account, entry.idHash),
    );
    return hasBet || hasWin ? 'open' : 'void';
  };

  /** The amount of a win that was taken back from the player. */
  const takenBack = (account: bigint, winHash: string): bigint => {
    const reversal = entries.find(
      ({ command, from, result }) =>
        command.type === 'rollback' &&
        command.referenceHash === winHash &&
        from === account &&
        result === 'rolled_back',
    );
    return reversal?.amount ?? 0n;
  };

  const isSettled = (bet: Entry) => {
    if (bet.command.type === 'bet_win') return true;
    const { command } = bet;
    if (command.type === 'bet' && listClosed(command.round?.hash).has(command.account)) return true;
    return entries.some(
      (entry) =>
        entry.command.type === 'win' && entry.command.referenceHash === bet.idHash && !isRefusal(entry),
    );
  };

  const store = (...given: Entry[]): Answer => ({ kind: 'stored', entries: given });
  const refuse = (...codes: string[]): Answer => ({ kind: 'refused', codes });

  const again = (command: Command, ids: readonly string[]): Answer | undefined => {
    const earlier = ids.map(find);
    if (earlier.every((entry) => entry === undefined)) return undefined;
    const fields = listDifferences(
      earlier.map((entry) => entry?.command),
      command,
    );
    if (fields.length > 0) return { kind: 'conflict', fields };
    return { kind: 'repeated', entries: earlier.flatMap((entry) => entry ?? []) };
  };

  const transfer = (command: TransferCommand): Answer => {
    const { idHash, amount, account } = command;
    if (command.type === 'credit') {
      let result = 'applied';
      if (balance(account) + amount > most) result = 'balance_limit';
      if (balance(credit) - amount < -overdraft) result = 'package_credit_exhausted';
      return store({ command, idHash, from: credit, to: account, amount, result });
    }
    let result = 'applied';
    if (balance(credit) + amount > most) result = 'balance_limit';
    if (balance(account) - amount < 0n) result = 'insufficient_funds';
    return store({ command, idHash, from: account, to: credit, amount, result });
  };

  const topUp = (command: TopUpCommand): Answer => {
    const { idHash, amount } = command;
    if (command.type === 'top_up') {
      const result = balance(credit) + amount > most ? 'balance_limit' : 'applied';
      return store({ command, idHash, from: issuance, to: credit, amount, result });
    }
    const isShort = balance(credit) - amount < -overdraft;
    const result = isShort ? 'package_credit_exhausted' : 'applied';
    return store({ command, idHash, from: credit, to: issuance, amount, result });
  };

  const findBlock = (command: BetCommand | BetWinCommand): Answer | undefined => {
    if (command.blockedBy !== undefined) return refuse(command.blockedBy);
    const { idHash, nameHash = idHash } = command;
    const isRolledBack = [idHash, nameHash].some((hash) => hasTombstone(command.account, hash));
    if (isRolledBack) return refuse('bet_rolled_back');
    if (isClosed(command)) return refuse('round_closed');
    const stake = command.type === 'bet' ? command.amount : command.betAmount;
    return command.maxStake !== undefined && stake > command.maxStake ? refuse('bet_limit') : undefined;
  };

  const bet = (command: BetCommand): Answer => {
    const block = findBlock(command);
    if (block) return block;
    const { idHash, amount, account } = command;
    let result = amount === 0n ? 'recorded' : 'applied';
    if (balance(account) < amount) result = 'insufficient_funds';
    return store({ command, idHash, from: account, to: house, amount, result });
  };

  const betWin = (command: BetWinCommand): Answer => {
    const block = findBlock(command);
    if (block) return block;
    const { account, betAmount, winAmount } = command;
    let refusal: string | undefined;
    if (balance(account) - betAmount + winAmount > most) refusal = 'balance_limit';
    if (balance(account) < betAmount) refusal = 'insufficient_funds';
    const legs = [
      { idHash: command.idHash, from: account, to: house, amount: betAmount },
      { idHash: command.winIdHash, from: house, to: account, amount: winAmount },
    ];
    return store(
      ...legs.map((leg) => {
        const result = refusal ?? (leg.amount === 0n ? 'recorded' : 'applied');
        return { command, ...leg, result };
      }),
    );
  };

  /** The first game that an entry of the round names. */
  const gameOfRound = ({ account, round }: GameCommand) => {
    for (const { command } of entriesOfRound(account, round?.hash)) {
      if ('gameId' in command && command.gameId !== undefined) return command.gameId;
    }
    return undefined;
  };

  const win = (command: WinCommand): Answer => {
    const { idHash, amount, account, referenceHash: reference } = command;
    if (command.isReversible && hasTombstone(account, idHash)) return refuse('bet_rolled_back');
    if (reference !== undefined) {
      const found = find(reference);
      const isForeign = found !== undefined && accountOf(found.command) !== account;
      const isGone = wasRolledBack(account, reference) || hasTombstone(account, reference);
      // A rollback for this player has named this id, but the bet with this id belongs to a different player.
      // Both refusals, `bet_not_found` and `bet_rolled_back`, are correct.
      if (isForeign && isGone) return refuse('bet_not_found', 'bet_rolled_back');
      if (isGone) return refuse('bet_rolled_back');
      if (found === undefined || isForeign || !isBet(found)) return refuse('bet_not_found');
      if (isRefusal(found)) return refuse('bet_refused');
    }
    if (command.needsOpenRound) {
      if (entriesOfRound(account, command.round?.hash).length === 0) return refuse('bet_not_found');
      if (gameOfRound(command) !== command.gameId) return refuse('game_not_found');
      if (isClosed(command)) return refuse('round_closed');
    }
    let result = isClosed(command) ? 'late' : 'applied';
    if (amount === 0n) result = 'recorded';
    if (balance(account) + amount > most) result = 'balance_limit';
    return store({ command, idHash, from: house, to: account, amount, result });
  };

  const classifyRollback = (command: RollbackCommand): [string, bigint] | Answer => {
    if (command.referenceHash === command.idHash) return refuse('not_a_bet');
    const found = find(command.referenceHash);
    const isOwn = found !== undefined && accountOf(found.command) === command.account;
    if (!found || !isOwn) {
      const asWin = find(command.referenceAsWinHash);
      const isOwnWin = asWin !== undefined && accountOf(asWin.command) === command.account;
      return isOwnWin && !found ? refuse('not_a_bet') : ['tombstoned', 0n];
    }
    const isWin = found.command.type === 'win';
    if (!isBet(found) && !(isWin && command.undoes === 'any')) return refuse('not_a_bet');
    if (isRefusal(found)) return ['nothing_to_roll_back', 0n];
    if (wasRolledBack(command.account, found.idHash)) {
      return ['already_rolled_back', 0n];
    }
    if (isWin) return takeBack(command, found);
    if (isSettled(found) && (command.undoes ?? 'open_bets') === 'open_bets')
      return refuse('bet_already_settled');
    const hasRoom = balance(command.account) + found.amount <= most;
    return [hasRoom ? 'rolled_back' : 'balance_limit', found.amount];
  };

  const takeBack = (command: RollbackCommand, win: Entry): Answer => {
    const { idHash, account } = command;
    const held = balance(account);
    const amount = held < win.amount ? held : win.amount;
    const shortfall = win.amount - amount;
    return store({ command, idHash, from: account, to: house, amount, result: 'rolled_back', shortfall });
  };

  const rollback = (command: RollbackCommand): Answer => {
    const classified = classifyRollback(command);
    if (!Array.isArray(classified)) return classified;
    const [result, amount] = classified;
    const { idHash, account } = command;
    return store({ command, idHash, from: house, to: account, amount, result });
  };

  const endRound = (command: EndRoundCommand): Answer => {
    const { idHash, account } = command;
    const earlier = find(idHash);
    if (earlier) return { kind: 'repeated', entries: [earlier] };
    return store({ command, idHash, from: house, to: account, amount: 0n, result: 'closed' });
  };

  const answerNew = (command: Command): Answer => {
    switch (command.type) {
      case 'credit':
      case 'debit':
        return transfer(command);
      case 'top_up':
      case 'top_up_reversal':
        return topUp(command);
      case 'bet':
        return bet(command);
      case 'win':
        return win(command);
      case 'bet_win':
        return betWin(command);
      case 'rollback':
        return rollback(command);
      case 'end_round':
        return endRound(command);
    }
  };

  const ask = (command: Command): Answer => {
    if (command.type === 'end_round') return endRound(command);
    const ids = command.type === 'bet_win' ? [command.idHash, command.winIdHash] : [command.idHash];
    return again(command, ids) ?? answerNew(command);
  };

  const hasName = (hash: string) =>
    entries.some(({ command, isOfBatch }) => isOfBatch && 'nameHash' in command && command.nameHash === hash);

  /**
   * Lists the names (`referenceNames`) of the transaction that a new rollback undoes. The list is empty if
   * the id to which this rollback or the last rollback of the batch refers is stored.
   */
  const listUnseenNames = (command: Command, last: Command | undefined): readonly string[] => {
    if (command.type !== 'rollback' || find(command.idHash) || find(command.referenceHash)) return [];
    const isFound = last?.type === 'rollback' && find(last.referenceHash) !== undefined;
    return isFound ? [] : (command.referenceNames ?? []);
  };

  /** The answer to a command of a batch. The command may have a name. */
  const askInBatch = (command: Command, last: Command | undefined): Answer => {
    const name = 'nameHash' in command ? command.nameHash : undefined;
    if (name !== undefined && !find(command.idHash) && hasName(name))
      return { kind: 'name_known', hash: name };
    const answer = ask(command);
    if (answer.kind !== 'stored') return answer;
    const unseen = listUnseenNames(command, last);
    const known = unseen.find((hash) => find(hash) || hasName(hash));
    if (known !== undefined) return { kind: 'name_known', hash: known };
    const tombstoneOf = unseen[0];
    return store(...answer.entries.map((entry) => ({ ...entry, isOfBatch: true, tombstoneOf })));
  };

  return {
    entries,
    balance,
    roundStatus,
    ask,
    apply: (command) => {
      const answer = ask(command);
      if (answer.kind === 'stored') entries.push(...answer.entries);
      return answer;
    },
    applyAll: (commands) => {
      const before = entries.length;
      const answers: Answer[] = [];
      for (const command of commands) {
        const answer = askInBatch(command, commands.at(-1));
        answers.push(answer);
        if (!('entries' in answer) || answer.entries.some(isRefusal)) {
          entries.length = before;
          return answers;
        }
        if (answer.kind === 'stored') entries.push(...answer.entries);
      }
      return answers;
    },
  };
}
