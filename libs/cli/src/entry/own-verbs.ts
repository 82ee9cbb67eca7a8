// The verbs that belong to no service: start, credentials, doctor, completion.
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { Argument, Command, Option } from 'commander';
import { type DoctorOptions, runDoctor } from '../doctor/run-doctor.ts';
import { formatCompletion } from './completion.ts';
import { type CredentialOptions, printCredentials } from './print-credentials.ts';
import { type CommandContext, redirectOutput } from './services.ts';

export function createOwnProgram(context: CommandContext): Command {
  const program = new Command('counterfoil');
  program
    .command('start')
    .description('Run everything in the foreground until Ctrl-C, like npm start.')
    .option('--processes <number>', 'number of processes of each service')
    .action((given: { processes?: string }) => start(given));
  withJson(program.command('credentials'))
    .description("Show the demo's addresses and people; --json includes the secrets.")
    .option('--with-secrets', 'show passwords and keys in the table')
    .action((given: CredentialOptions) => printCredentials(context, given));
  withJson(program.command('doctor'))
    .description(
      'Check settings, ports, folders, disk, database, clock, secrets and provider; change nothing.',
    )
    .addOption(new Option('--service <name>', 'check one service only').choices(['licensing', 'wallet']))
    .action((given: DoctorOptions) => runDoctor(context, given));
  program
    .command('completion')
    .description('Print the completion script: source <(counterfoil completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash']))
    .action(async () => context.print(await formatCompletion(context, program)));
  return redirectOutput(program, context);
}

/**
 * Runs `start.ts` until Ctrl-C. `start.ts` reads its arguments from `process.argv`, so this function sets
 * them there.
 */
async function start(given: { processes?: string }): Promise<void> {
  const words = given.processes === undefined ? [] : ['--processes', given.processes];
  process.argv = [...process.argv.slice(0, 2), ...words];
  await import('../start.ts');
}
