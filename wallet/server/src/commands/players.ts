// `players erase` removes what is personal about a player.
import { CommandRefused } from '@counterfoil/kit/local-environment';
import type { Command } from 'commander';
import { erasePlayer } from '../players/erase-player.ts';
import { findLedgers } from '../proof/find-ledgers.ts';
import type { CommandTools } from './command-tools.ts';

export function addPlayers(program: Command, tools: CommandTools): void {
  program
    .command('players')
    .description("Packages' players.")
    .command('erase')
    .description("Erase a player's name, id, metadata and notes; the money and its proof stay.")
    .requiredOption('--package <uid>', 'the package')
    .requiredOption('--player <player_id>', 'the player')
    .action(async (given: { package: string; player: string }) => {
      await tools.run(async ({ db }) => {
        const [ledger] = await findLedgers(db, given.package);
        if (!ledger) throw new CommandRefused(`there is no package ${given.package}`);
        await erasePlayer(db, { packageId: ledger.id, playerId: given.player });
        tools.print('Erased. The ledger stays as it was.');
      });
    });
}
