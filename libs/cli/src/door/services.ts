// The services' own command lines behind the door: which of them is meant, and how it speaks here.
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import type { Command } from 'commander';
import type { Place } from './place.ts';
import { type Service, type Verb, verbs } from './verbs.ts';

/** Loaded when needed: each brings half of its service along. */
const programs = {
  licensing: () => import('@counterfoil/licensing-server/operating'),
  wallet: () => import('@counterfoil/wallet-server/operating'),
};

export async function openService(
  service: Service,
  place: Place,
  onReady: () => void = () => {},
): Promise<Command> {
  const { print, note, columns, readInput, env } = place;
  const terminal = { print, note, columns, readInput };
  const program = (await programs[service]()).openProgram(terminal, { env, onReady });
  return speakHere(program.name('counterfoil'), place);
}

/** Its words go where the door's go, and it ends by an error, never the process. */
export function speakHere(command: Command, place: Place): Command {
  const width = () => place.columns ?? 80;
  command.exitOverride().configureOutput({
    writeOut: (text) => place.print(text.replace(/\n$/, '')),
    writeErr: (text) => place.note(text.replace(/\n$/, '')),
    getOutHelpWidth: width,
    getErrHelpWidth: width,
  });
  for (const each of command.commands) speakHere(each, place);
  return command;
}

const findCommand = (program: Command, name: string): Command | undefined =>
  program.commands.find((each) => each.name() === name);

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h');

/** `--service` out of the words: the services themselves do not know it. */
function takeService(args: readonly string[]): {
  named: string | undefined;
  rest: string[];
} {
  const at = args.findIndex((word) => word === '--service' || word.startsWith('--service='));
  if (at === -1) return { named: undefined, rest: [...args] };
  const [, joined] = /^--service=(.*)$/.exec(args[at] ?? '') ?? [];
  const named = joined ?? args[at + 1] ?? '';
  return { named, rest: args.filter((_, i) => i !== at && (joined !== undefined || i !== at + 1)) };
}

const hasOption = (args: readonly string[], name: string) =>
  args.some((word) => word === name || word.startsWith(`${name}=`));

/** Named, or told by what is asked: a workspace is licensing's, a package the wallet's. */
export async function chooseServices(
  verb: Verb,
  args: readonly string[],
  place: Place,
): Promise<{ services: readonly Service[]; rest: string[] }> {
  const { named, rest } = takeService(args);
  if (named !== undefined) {
    const known = verb.services.find((service) => service === named);
    if (known) return { services: [known], rest };
    const may = verb.services.join(' or ');
    throw new CommandRefused(`${verb.name} is a verb of ${may}, not of ${JSON.stringify(named)}`);
  }
  if (verb.services.length === 1) return { services: verb.services, rest };
  if (hasOption(rest, '--package')) return { services: ['wallet'], rest };
  if (hasOption(rest, '--workspace')) return { services: ['licensing'], rest };
  const able = await findAble(verb, rest, place);
  if (able.length === 1 || asksForHelp(rest) || rest.length === 0) return { services: able, rest };
  throw new CommandRefused(
    `Both services have ${verb.name}: add --service licensing or --service wallet.`,
  );
}

/** Those of the services that have the word behind the verb. */
async function findAble(verb: Verb, args: readonly string[], place: Place): Promise<Service[]> {
  const [word] = args;
  if (word === undefined || word.startsWith('-')) return [...verb.services];
  const able: Service[] = [];
  for (const service of verb.services) {
    const command = findCommand(await openService(service, place), verb.name);
    if (command && findCommand(command, word)) able.push(service);
  }
  return able.length === 0 ? [...verb.services] : able;
}

/** Every command of the door with its words, for whoever completes or checks them. */
export async function listCommands(place: Place, own: Command) {
  const found: { words: string[]; command: Command }[] = [];
  const walk = (words: string[], command: Command) => {
    found.push({ words, command });
    for (const each of command.commands) walk([...words, each.name()], each);
  };
  for (const verb of verbs) {
    const mine = findCommand(own, verb.name);
    if (mine) walk([verb.name], mine);
    for (const service of verb.services) {
      const command = findCommand(await openService(service, place), verb.name);
      if (command) walk([verb.name], command);
    }
  }
  return found;
}
