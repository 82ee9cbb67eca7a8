// The wallet service's command: what an operator does without the panel.
import { createCommandRunner, runCommand } from '@counterfoil/kit/run-command';
import { runMain } from '@counterfoil/kit/run-main';
import { migrationFolders } from './app.ts';
import { createProgram } from './commands/program.ts';
import { readWalletConfig } from './config.ts';

const run = createCommandRunner({
  service: 'wallet',
  urlName: 'WALLET_DATABASE_URL',
  readConfig: readWalletConfig,
  migrationFolders,
});

const print = (line: string) => void process.stdout.write(`${line}\n`);

runMain(() => runCommand(createProgram({ run, print })));
