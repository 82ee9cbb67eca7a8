// The verbs of the house itself: start, credentials, doctor, completion.
import { withJson } from '@counterfoil/kit/process/command-line/page-options';
import { Argument, Command, Option } from 'commander';
import { type DoctorOptions, runDoctor } from '../doctor/run-doctor.ts';
import { writeCompletion } from './completion.ts';
import type { Place } from './place.ts';
import { type CredentialOptions, printCredentials } from './print-credentials.ts';
import { speakHere } from './services.ts';

export function createOwnProgram(place: Place): Command {
  const program = new Command('counterfoil');
  program
    .command('start')
    .description('Run everything in the foreground until Ctrl-C; the same as npm start.')
    .option('--processes <number>', 'how many processes of each service')
    .action((given: { processes?: string }) => start(given));
  withJson(program.command('credentials'))
    .description("Show the demo's addresses and people; --json holds the secrets too.")
    .option('--with-secrets', 'show passwords and keys in the table')
    .action((given: CredentialOptions) => printCredentials(place, given));
  withJson(program.command('doctor'))
    .description(
      'Look at settings, ports, folders, disk, database, clock, secrets and provider; change nothing.',
    )
    .addOption(
      new Option('--service <name>', 'of one service alone').choices(['licensing', 'wallet']),
    )
    .action((given: DoctorOptions) => runDoctor(place, given));
  program
    .command('completion')
    .description('Print the completion script: source <(counterfoil completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash']))
    .action(async () => place.print(await writeCompletion(place, program)));
  return speakHere(program, place);
}

/** It reads its words from the process, as it does when npm starts it, and stays. */
async function start(given: { processes?: string }): Promise<void> {
  const words = given.processes === undefined ? [] : ['--processes', given.processes];
  process.argv = [...process.argv.slice(0, 2), ...words];
  await import('../start.ts');
}
