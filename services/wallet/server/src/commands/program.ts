// The command line of the wallet: one file per subject.
import { addDistributeCommand } from '@counterfoil/kit/postgres/distribution/distribute-command';
import { Command } from 'commander';
import { walletDistribution as distribution } from '../distribution.ts';
import { collectHotStatements } from '../hot-statements.ts';
import { addAdminTokens } from './admin-tokens.ts';
import type { CommandTools } from './command-tools.ts';
import { addKeys } from './keys.ts';
import { addPackages } from './packages.ts';
import { addPeople } from './people.ts';
import { addPlayers } from './players.ts';
import { addProof } from './proof.ts';
import { addProviders } from './providers.ts';
import { addRounds } from './rounds.ts';

export function createProgram(tools: CommandTools): Command {
  // Wraps descriptions if at least 30 columns are left for them. The default is 40, but long command names
  // leave fewer columns.
  const program = new Command('wallet')
    .description('Operate the wallet service.')
    .configureHelp({ minWidthToWrap: 30 });
  addPackages(program, tools);
  addPeople(program, tools);
  addAdminTokens(program, tools);
  addKeys(program, tools);
  addPlayers(program, tools);
  addProviders(program, tools);
  addProof(program, tools);
  addRounds(program, tools);
  addDistributeCommand(program, { ...tools, distribution, collectHotStatements });
  return program;
}
