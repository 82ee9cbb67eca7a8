// The one door: finds the verb, hands it the words behind, and turns what happened into a status.
import { readFile } from 'node:fs/promises';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { CommanderError } from 'commander';
import { exitStatus, judgeFailure } from './exit-status.ts';
import { writeHelp } from './help.ts';
import { findNearest } from './nearest.ts';
import { createOwnProgram } from './own-verbs.ts';
import type { Place } from './place.ts';
import { chooseServices, openService } from './services.ts';
import { findVerb, onlyReads, type Verb, verbs } from './verbs.ts';

/** The words behind `counterfoil`; returns the exit status, and never throws. */
export async function runCounterfoil(words: readonly string[], place: Place): Promise<number> {
  const before = process.exitCode;
  // Verbs that looked and found fault say so by the process's own status.
  process.exitCode = exitStatus.done;
  let began = false;
  try {
    await run(words, place, () => {
      began = true;
    });
    return Number(process.exitCode ?? exitStatus.done);
  } catch (error) {
    if (place.isReaderGone?.(error)) return exitStatus.done;
    return tellFailure(error, { words, place, began });
  } finally {
    process.exitCode = before;
  }
}

function tellFailure(
  error: unknown,
  { words, place, began }: { words: readonly string[]; place: Place; began: boolean },
): number {
  const failure = judgeFailure(error, { began, onlyReads: onlyReads(words) });
  if (failure.status === exitStatus.done) return failure.status;
  // What a command line is made of has told its own mistakes already.
  if (!(error instanceof CommanderError)) place.note(failure.msg);
  if (words.includes('--json')) {
    const { status, ...rest } = failure;
    place.print(JSON.stringify({ status: 'error', ...rest, exit_status: status }));
  }
  return failure.status;
}

async function run(words: readonly string[], place: Place, onReady: () => void): Promise<void> {
  const [first = '', ...rest] = words;
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  if (first === '') refuseNothing(place);
  else if (first === '--version' || first === '-V') place.print(await readVersion());
  else if (isHelp && rest.length === 0) place.print(writeHelp(place));
  else if (isHelp) await run([...rest, '--help'], place, onReady);
  else {
    const verb = findVerb(first);
    if (!verb) throw refuseUnknown(first);
    if (verb.services.length > 0) await runService(verb, rest, { place, onReady });
    else await createOwnProgram(place).parseAsync([...words], { from: 'user' });
  }
}

async function runService(
  verb: Verb,
  args: readonly string[],
  { place, onReady }: { place: Place; onReady: () => void },
): Promise<void> {
  const { services, rest } = await chooseServices(verb, args, place);
  const [only] = services;
  if (services.length === 1 && only) {
    const program = await openService(only, place, onReady);
    await program.parseAsync([verb.name, ...rest], { from: 'user' });
    return;
  }
  // Both have it, and only its help was asked for: both tell.
  for (const service of services) {
    place.print(`${service === services[0] ? '' : '\n'}With --service ${service}:`);
    const program = await openService(service, place);
    await program
      .parseAsync([verb.name, ...rest, '--help'], { from: 'user' })
      .catch((error: unknown) => {
        if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
      });
  }
}

function refuseNothing(place: Place): void {
  place.note(writeHelp(place));
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
