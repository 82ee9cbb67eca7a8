// wallet rounds open: lists open rounds.
import { formatMinor } from '@counterfoil/kit/money';
import { printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { nameAccounts } from '../players/queries.ts';
import { findLedgers, type LedgerName } from '../proof/queries.ts';
import { listOpenRounds } from '../rounds/queries.ts';
import { findAge, presentRoundLine } from '../rounds/round.ts';
import type { CommandTools } from './command-tools.ts';

interface OpenOptions {
  package?: string;
  olderThan?: string;
  limit: string;
  json?: boolean;
}

export function addRounds(program: Command, tools: CommandTools): void {
  program
    .command('rounds')
    .description("Players' rounds.")
    .command('open')
    .description('List open rounds, the oldest first.')
    .option('--package <uid>', 'one package only, by its UID or its number')
    .option('--older-than <age>', 'only rounds opened at least this long ago, such as 30m')
    .option('--limit <number>', 'the largest number of rounds per package', '1000')
    .option('--json', 'print JSON')
    .action((given: OpenOptions) => printOpenRounds(tools, given));
}

async function printOpenRounds(tools: CommandTools, given: OpenOptions): Promise<void> {
  const age = given.olderThan === undefined ? undefined : findAge(given.olderThan);
  if (given.olderThan !== undefined && age === undefined) {
    throw new CommandRefused('the age must be written as 30m, 1h or 2d');
  }
  const limit = Number(given.limit);
  if (!/^[1-9]\d{0,5}$/.test(given.limit)) throw new CommandRefused('the limit must be a number');
  const openedBefore = age === undefined ? undefined : new Date(Date.now() - age);
  await tools.run(async ({ db }) => {
    const ledgers = await findLedgers(db, given.package);
    if (ledgers.length === 0 && given.package !== undefined) {
      throw new CommandRefused(`there is no package ${given.package}`, 'not_found');
    }
    const found: ReturnType<typeof presentFound>[] = [];
    for (const ledger of ledgers) {
      const wanted = { packageId: ledger.id, account: undefined, cursor: undefined, limit };
      const { parts } = await listOpenRounds(db, { ...wanted, openedBefore });
      const accounts = parts.map((part) => part.account);
      const players = await nameAccounts(db, ledger.id, accounts);
      for (const part of parts) found.push(presentFound(ledger, part, players));
    }
    printRows(tools, given, {
      json: found.map(({ line }) => line),
      head: ['PACKAGE', 'ROUND', 'PLAYER', 'GAME', 'BETS', 'WINS', 'OPENED'],
      rows: found.map(({ cells }) => cells),
    });
  });
}

function presentFound(
  ledger: LedgerName,
  part: Parameters<typeof presentRoundLine>[0],
  players: ReadonlyMap<bigint, string>,
) {
  const { uid } = ledger;
  const line = { uid, ...presentRoundLine(part, players, ledger) };
  const bets = formatMinor(part.betTotal, ledger);
  const wins = formatMinor(part.winTotal, ledger);
  const game = line.game_id ?? '';
  const cells = [uid, line.round_id, line.player_id, game, bets, wins, line.opened_at];
  return { line, cells };
}
