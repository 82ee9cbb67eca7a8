// The options of every list command: `--limit`, `--cursor` and `--json`.
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

/**
 * Adds the options of a list. `cursorForm` is the pattern of a cursor, for lists that do not check the cursor
 * themselves.
 */
export function withPage(command: Command, cursorForm = /^[\w.-]{1,1024}$/): Command {
  return withJson(
    command
      .option('--limit <number>', 'maximum number of rows, from 1 to 100 (default: 50)', checkLimit)
      .option('--cursor <cursor>', 'the cursor that the previous page printed', (text: string) => {
        if (cursorForm.test(text)) return text;
        throw new InvalidArgumentError('It is not a cursor of this list.');
      }),
  );
}

export const withJson = (command: Command): Command => command.option('--json', 'print one JSON document');
