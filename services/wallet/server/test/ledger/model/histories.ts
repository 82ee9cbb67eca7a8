// Makes random commands with few different ids, players, rounds and amounts, so that they often interact.
import type { BetCommand, Command, GameCommand } from '../../../src/ledger/rules/command.ts';
import { hashId, hashNote, hashRound, type IdSpace } from '../../../src/ledger/rules/ids.ts';
import type { Random } from './random.ts';

export interface Space {
  readonly accounts: readonly bigint[];
  readonly ids: readonly string[];
  readonly rounds: readonly string[];
  /** The amounts of transfers and top-ups. Bets and wins may also be zero. */
  readonly amounts: readonly bigint[];
}

const most = 10n ** 15n - 1n;

export const smallSpace: Space = {
  accounts: [1001n, 1002n],
  ids: ['1', '2', '3', '4'],
  rounds: ['r', 's'],
  amounts: [1n, 1n, 2n, 2n, 3n, 5n, most, most - 2n],
};

/** A space with one player and two ids, so that bets, their rollbacks and repeats of both occur often. */
export const narrowSpace: Space = {
  accounts: [1001n],
  ids: ['1', '2'],
  rounds: ['r'],
  amounts: [1n, 2n, 3n, most],
};

const hashes = new Map<string, string>();

function cached(key: string, make: () => string): string {
  const known = hashes.get(key) ?? make();
  if (hashes.size < 100_000) hashes.set(key, known);
  return known;
}

const idOf = (space: IdSpace, id: string): string => cached(`${space} ${id}`, () => hashId(space, id));

const types = [
  'credit',
  'credit',
  'debit',
  'top_up',
  'top_up_reversal',
  'bet',
  'bet',
  'bet',
  'win',
  'win',
  'bet_win',
  'rollback',
  'rollback',
  'end_round',
] as const;

function makeCommand(random: Random, space: Space, only?: Command['type']): Command {
  const type = only ?? random.pick(types);
  const transactionId = random.pick(space.ids);
  const account = random.pick(space.accounts);
  const amount = random.pick(space.amounts);
  const note = random.chance(8) ? 'a note' : '';
  const written = { transactionId, amount, note, noteHash: hashNote(note) };
  switch (type) {
    case 'credit':
    case 'debit':
      return { type, account, idHash: idOf('caller', transactionId), ...written };
    case 'top_up':
    case 'top_up_reversal':
      return { type, idHash: idOf('admin', transactionId), ...written };
    default:
      return makeGameCommand(random, space, { type, transactionId, account });
  }
}

function makeGameCommand(
  random: Random,
  space: Space,
  given: {
    type: 'bet' | 'win' | 'bet_win' | 'rollback' | 'end_round';
    transactionId: string;
    account: bigint;
  },
): Command {
  const { type, transactionId, account } = given;
  const gameId = random.chance(6) ? 'game' : undefined;
  const roundId = random.pick(space.rounds);
  const aRound = {
    id: roundId,
    hash: cached(`round ${roundId}`, () => hashRound('p', roundId)),
  };
  const round = random.chance(2) ? aRound : undefined;
  const others = space.accounts.filter((each) => each !== account);
  const otherPart = others.length > 0 && random.chance(4) ? random.pick(others) : undefined;
  const game = { transactionId, account, gameId, round, roundFinished: random.chance(8), otherPart };
  const amount = () => (random.chance(5) ? 0n : random.pick(space.amounts));
  const blockedBy = random.chance(12) ? ('player_blocked' as const) : undefined;
  const maxStake = random.chance(8) ? 2n : undefined;
  const reference = random.pick(space.ids);
  if (random.chance(3) && (type === 'bet' || type === 'win' || type === 'rollback')) {
    return makeConnectionCommand(random, {
      type,
      game,
      amount: amount(),
      block: { blockedBy, maxStake },
      reference,
      names: [random.pick(space.ids), random.pick(space.ids)],
    });
  }
  switch (type) {
    case 'bet': {
      const idHash = idOf('bet:p', transactionId);
      return { type, ...game, idHash, amount: amount(), blockedBy, maxStake };
    }
    case 'win': {
      const referenceHash = random.chance(3) ? undefined : idOf('bet:p', reference);
      const idHash = idOf('win:p', transactionId);
      return { type, ...game, idHash, amount: amount(), referenceHash };
    }
    case 'bet_win': {
      const idHash = idOf('bet:p', transactionId);
      const winIdHash = idOf('win:p', transactionId);
      const amounts = { betAmount: amount(), winAmount: amount() };
      return { type, ...game, idHash, winIdHash, ...amounts, blockedBy, maxStake };
    }
    case 'rollback': {
      const idHash = idOf('rollback:p', transactionId);
      const referenceHash = idOf('bet:p', reference);
      const referenceAsWinHash = idOf('win:p', reference);
      return { type, ...game, idHash, referenceHash, referenceAsWinHash };
    }
    case 'end_round': {
      const text = `${account} ${roundId}`;
      const idHash = idOf('end_round:p', text);
      return { type, ...game, idHash, transactionId: text, round: aRound };
    }
  }
}

/**
 * Makes a command of a provider connection. The bets, wins and rollbacks of a connection share one space of
 * ids.
 */
function makeConnectionCommand(
  random: Random,
  given: {
    type: 'bet' | 'win' | 'rollback';
    game: Omit<GameCommand, 'type' | 'idHash'>;
    amount: bigint;
    block: Pick<BetCommand, 'blockedBy' | 'maxStake'>;
    reference: string;
    names: readonly string[];
  },
): Command {
  const { type, amount, block } = given;
  const names = given.names.map((name) => idOf('connection:c', name));
  const game = { ...given.game, nameHash: random.chance(2) ? names[0] : undefined };
  const idHash = idOf('connection:c', game.transactionId);
  const referenceHash = idOf('connection:c', given.reference);
  switch (type) {
    case 'bet':
      return { type, ...game, idHash, amount, ...block };
    case 'win': {
      const refers = random.chance(2) ? referenceHash : undefined;
      const needsOpenRound = random.chance(3);
      return { type, ...game, idHash, amount, referenceHash: refers, needsOpenRound, isReversible: true };
    }
    case 'rollback': {
      const undoes = random.pick(['open_bets', 'bets', 'any', 'any'] as const);
      const references = { referenceHash, referenceAsWinHash: referenceHash };
      const referenceNames = random.chance(2) ? names : undefined;
      return { type, ...game, idHash, ...references, referenceNames, undoes };
    }
  }
}

/** Most histories begin with a top-up and a credit, so that some commands have enough money. */
export function makeHistory(random: Random, space: Space, length: number): Command[] {
  const opening: Command[] = [];
  if (!random.chance(6)) {
    opening.push(makeCommand(random, space, 'top_up'), makeCommand(random, space, 'credit'));
  }
  const commands = [...opening];
  for (let i = 0; i < length; i++) {
    // About one command in eight repeats an earlier command unchanged.
    const isAgain = commands.length > 0 && random.chance(8);
    commands.push(isAgain ? random.pick(commands) : makeCommand(random, space));
  }
  return commands;
}

/** A command on one line, for the report of a failure. */
export function describeCommand(command: Command): string {
  const shown = JSON.stringify(command, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  return shown;
}
