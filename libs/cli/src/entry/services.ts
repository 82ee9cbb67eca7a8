// Loads the commands of the services, chooses the service of a verb, and redirects the output.

import type { Environment } from '@counterfoil/kit/process/config';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import type { Machine } from '../doctor/machine.ts';
import { type Service, type Verb, verbs } from './verbs.ts';

export interface CommandContext {
  readonly env: Environment;
  /** Writes a line or document of the result to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line that is not part of the result to standard error. */
  readonly note: (line: string) => void;
  /** The width of the terminal; undefined if the output is a file or a pipe. */
  readonly columns: number | undefined;
  readonly readInput: () => Promise<string>;
  /**
   * The parts of the machine that a test replaces. The doctor examines the replacements instead of the real
   * parts.
   */
  readonly machine?: Partial<Machine>;
  /** Whether an error only means that the reader of the output has closed the pipe. */
  readonly isReaderGone?: (error: unknown) => boolean;
}

/** The programs are loaded on demand, because each of them loads about half of the code of its service. */
const programs = {
  licensing: () => import('@counterfoil/licensing-server/operating'),
  wallet: () => import('@counterfoil/wallet-server/operating'),
};

export async function openService(
  service: Service,
  context: CommandContext,
  onReady: () => void = () => {},
): Promise<Command> {
  const { print, note, columns, readInput, env } = context;
  const terminal = { print, note, columns, readInput };
  const program = (await programs[service]()).openProgram(terminal, { env, onReady });
  return redirectOutput(program.name('counterfoil'), context);
}

/**
 * Sends the output of a command to the context, and makes the command throw instead of ending the
 * process.
 */
export function redirectOutput(command: Command, context: CommandContext): Command {
  const width = () => context.columns ?? 80;
  command.exitOverride().configureOutput({
    writeOut: (text) => context.print(text.replace(/\n$/, '')),
    writeErr: (text) => context.note(text.replace(/\n$/, '')),
    getOutHelpWidth: width,
    getErrHelpWidth: width,
  });
  for (const each of command.commands) redirectOutput(each, context);
  return command;
}

const findCommand = (program: Command, name: string): Command | undefined =>
  program.commands.find((each) => each.name() === name);

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h');

/** Removes `--service` from the arguments, because the services do not accept this option. */
function extractService(args: readonly string[]) {
  const at = args.findIndex((word) => word === '--service' || word.startsWith('--service='));
  if (at === -1) return { named: undefined, rest: [...args] };
  const [, joined] = /^--service=(.*)$/.exec(args[at] ?? '') ?? [];
  const named = joined ?? args[at + 1] ?? '';
  return { named, rest: args.filter((_, i) => i !== at && (joined !== undefined || i !== at + 1)) };
}

const hasOption = (args: readonly string[], name: string) =>
  args.some((word) => word === name || word.startsWith(`${name}=`));

/**
 * Chooses the service by `--service`, `--package`, `--workspace` or the subcommand. Returns several services
 * only if the arguments ask for help or are empty. `rest` contains the arguments without `--service`.
 */
export async function chooseServices(
  verb: Verb,
  args: readonly string[],
  context: CommandContext,
): Promise<{ services: readonly Service[]; rest: string[] }> {
  const { named, rest } = extractService(args);
  if (named !== undefined) {
    const known = verb.services.find((service) => service === named);
    if (known) return { services: [known], rest };
    const may = verb.services.join(' or ');
    throw new CommandRefused(`${verb.name} is a verb of ${may}, not of ${JSON.stringify(named)}`);
  }
  if (verb.services.length === 1) return { services: verb.services, rest };
  if (hasOption(rest, '--package')) return { services: ['wallet'], rest };
  if (hasOption(rest, '--workspace')) return { services: ['licensing'], rest };
  const able = await findServicesWithWord(verb, rest, context);
  if (able.length === 1 || asksForHelp(rest) || rest.length === 0) return { services: able, rest };
  throw new CommandRefused(`Both services have ${verb.name}: add --service licensing or --service wallet.`);
}

/**
 * Finds the services in which the first argument is a subcommand of the verb. If no service has such a
 * subcommand, returns all services of the verb.
 */
async function findServicesWithWord(
  verb: Verb,
  args: readonly string[],
  context: CommandContext,
): Promise<Service[]> {
  const [word] = args;
  if (word === undefined || word.startsWith('-')) return [...verb.services];
  const able: Service[] = [];
  for (const service of verb.services) {
    const command = findCommand(await openService(service, context), verb.name);
    if (command && findCommand(command, word)) able.push(service);
  }
  return able.length === 0 ? [...verb.services] : able;
}

/** Lists every command with the words that call it, for completion and tests. */
export async function listCommands(context: CommandContext, own: Command) {
  const found: { words: string[]; command: Command }[] = [];
  const walk = (words: string[], command: Command) => {
    found.push({ words, command });
    for (const each of command.commands) walk([...words, each.name()], each);
  };
  for (const verb of verbs) {
    const mine = findCommand(own, verb.name);
    if (mine) walk([verb.name], mine);
    for (const service of verb.services) {
      const command = findCommand(await openService(service, context), verb.name);
      if (command) walk([verb.name], command);
    }
  }
  return found;
}
