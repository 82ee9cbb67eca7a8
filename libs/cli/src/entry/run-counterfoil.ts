// The command line: finds the verb, runs it with the arguments, and returns the exit status.
import { readFile } from 'node:fs/promises';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { CommanderError } from 'commander';
import { classifyFailure, exitStatus } from './exit-status.ts';
import { formatHelp } from './help.ts';
import { findNearest } from './nearest.ts';
import { createOwnProgram } from './own-verbs.ts';
import { type CommandContext, chooseServices, openService } from './services.ts';
import { findVerb, onlyReads, type Verb, verbs } from './verbs.ts';

/**
 * Runs the command line. `words` are the arguments of `counterfoil`. Returns the exit status and never
 * throws.
 */
export async function runCounterfoil(words: readonly string[], context: CommandContext): Promise<number> {
  const before = process.exitCode;
  // Verbs such as `verify` set the exit code only if they find a problem, so an exit code that was set
  // earlier is reset first.
  process.exitCode = exitStatus.done;
  let began = false;
  try {
    await run(words, context, () => {
      began = true;
    });
    return Number(process.exitCode ?? exitStatus.done);
  } catch (error) {
    if (context.isReaderGone?.(error)) return exitStatus.done;
    return reportFailure(error, { words, context, began });
  } finally {
    process.exitCode = before;
  }
}

function reportFailure(
  error: unknown,
  { words, context, began }: { words: readonly string[]; context: CommandContext; began: boolean },
): number {
  const failure = classifyFailure(error, { began, onlyReads: onlyReads(words) });
  if (failure.status === exitStatus.done) return failure.status;
  // An error of commander is not printed again, because commander has already printed it.
  if (!(error instanceof CommanderError)) context.note(failure.msg);
  if (words.includes('--json')) {
    const { status, ...rest } = failure;
    context.print(JSON.stringify({ status: 'error', ...rest, exit_status: status }));
  }
  return failure.status;
}

async function run(words: readonly string[], context: CommandContext, onReady: () => void): Promise<void> {
  const [first = '', ...rest] = words;
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  if (first === '') refuseNothing(context);
  else if (first === '--version' || first === '-V') context.print(await readVersion());
  else if (isHelp && rest.length === 0) context.print(formatHelp(context));
  else if (isHelp) await run([...rest, '--help'], context, onReady);
  else {
    const verb = findVerb(first);
    if (!verb) throw refuseUnknown(first);
    if (verb.services.length > 0) await runService(verb, rest, { context, onReady });
    else await createOwnProgram(context).parseAsync([...words], { from: 'user' });
  }
}

async function runService(
  verb: Verb,
  args: readonly string[],
  { context, onReady }: { context: CommandContext; onReady: () => void },
): Promise<void> {
  const { services, rest } = await chooseServices(verb, args, context);
  const [only] = services;
  if (services.length === 1 && only) {
    const program = await openService(only, context, onReady);
    await program.parseAsync([verb.name, ...rest], { from: 'user' });
    return;
  }
  // Several services remain only if the arguments ask for help or are empty. So the help of each service is
  // printed.
  for (const service of services) {
    context.print(`${service === services[0] ? '' : '\n'}With --service ${service}:`);
    const program = await openService(service, context);
    await program.parseAsync([verb.name, ...rest, '--help'], { from: 'user' }).catch((error: unknown) => {
      if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
    });
  }
}

function refuseNothing(context: CommandContext): void {
  context.note(formatHelp(context));
  process.exitCode = exitStatus.wrongUsage;
}

function refuseUnknown(word: string): CommandRefused {
  const nearest = findNearest(
    word,
    verbs.map(({ name }) => name),
  );
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return new CommandRefused(
    `There is no verb ${JSON.stringify(word.slice(0, 64))}.${guess} See counterfoil help.`,
  );
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
