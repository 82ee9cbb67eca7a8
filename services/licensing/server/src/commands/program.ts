// Builds the licensing command line. Each group of commands is defined in a separate file.
import { addDistributeCommand } from '@counterfoil/kit/postgres/distribution/distribute-command';
import { Command } from 'commander';
import { licensingDistribution as distribution } from '../distribution.ts';
import { collectHotStatements } from '../hot-statements.ts';
import { addSetBalanceCommand, addSetSellerCommand } from './account-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addImportCommand } from './import-command.ts';
import { addItemCommands } from './items-command.ts';
import { addKeyCommands } from './keys-command.ts';
import { addPoolCommands } from './pools-command.ts';
import { addEraseBuyerCommand, addPurchaseCommands } from './purchases-command.ts';
import { addSigningKeyCommands } from './signing-keys-command.ts';
import type { CommandTools } from './tools.ts';
import { addWorkspaceCommands } from './workspaces-command.ts';

export function createProgram(tools: CommandTools): Command {
  const program = new Command('licensing').description('Operate the licensing service.');
  addWorkspaceCommands(program, tools);
  addKeyCommands(program, tools);
  addSigningKeyCommands(program, tools);
  addItemCommands(program, tools);
  addPurchaseCommands(program, tools);
  addPoolCommands(program, tools);
  addImportCommand(program, tools);
  addExportCommand(program, tools);
  addEraseBuyerCommand(program, tools);
  addSetBalanceCommand(program, tools);
  addSetSellerCommand(program, tools);
  addDistributeCommand(program, { ...tools, distribution, collectHotStatements });
  return program;
}
