// The options of every list: how many, from where on, and for whom.
import { type Command, InvalidArgumentError } from 'commander';
import type { OutputOptions } from './print.ts';

export interface PageOptions extends OutputOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

const limitForm = /^(?:[1-9]\d?|100)$/;

function checkLimit(text: string): string {
  if (limitForm.test(text)) return text;
  throw new InvalidArgumentError('It must be a whole number from 1 to 100.');
}

/** `cursorForm` is what a cursor of the list looks like, where the service itself does not look. */
export function withPage(command: Command, cursorForm = /^[\w.-]{1,1024}$/): Command {
  return withJson(
    command
      .option('--limit <number>', 'how many at most, from 1 to 100; 50 unless told', checkLimit)
      .option('--cursor <mark>', 'where the page before ended', (text: string) => {
        if (cursorForm.test(text)) return text;
        throw new InvalidArgumentError('It is no mark of this list.');
      }),
  );
}

export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document');
