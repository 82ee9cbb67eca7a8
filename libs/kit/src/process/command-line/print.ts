// Prints the result of a command: a table or fields for people, one JSON document for programs.
import { formatTable, wrap } from './table.ts';

/** The output of a command. */
export interface Terminal {
  /** Writes a line of the result to standard output. */
  readonly print: (line: string) => void;
  /** Writes a line that is not part of the result to standard error. */
  readonly note?: ((line: string) => void) | undefined;
  /** The width of the terminal. It is undefined if the output is a file or a pipe; then no column is cut. */
  readonly columns?: number | undefined;
}

export interface OutputOptions {
  readonly json?: boolean;
}

export interface Rows {
  readonly json: unknown;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The names of the columns that are narrowed last if the table is too wide. */
  readonly keep?: readonly string[];
  /** The cursor of the next page, if there is one. */
  readonly next?: string | null | undefined;
}

const toError = (line: string) => void process.stderr.write(`${line}\n`);

/** Returns the `note` of the terminal. By default, this is a function that writes to standard error. */
export const noteOf = ({ note = toError }: Terminal): ((line: string) => void) => note;

/** Prints rows as one line of JSON, or as a table. */
export function printRows(terminal: Terminal, options: OutputOptions, output: Rows): void {
  const { print, columns } = terminal;
  if (options.json) {
    print(JSON.stringify(output.json));
    return;
  }
  if (output.rows.length === 0) {
    print('There are none.');
    return;
  }
  const keep = (output.keep ?? []).map((name) => output.head.indexOf(name));
  print(formatTable([output.head, ...output.rows], { columns, keep }));
  if (output.next) noteOf(terminal)(`For the next page, add --cursor ${output.next}`);
}

/**
 * Prints one object, with one field per line. No field is cut, because it may be a secret that the reader
 * must copy.
 */
export function printFields(
  terminal: Terminal,
  options: OutputOptions,
  output: { json: unknown; title: string; fields: readonly (readonly [string, string])[] },
): void {
  if (options.json) terminal.print(JSON.stringify(output.json));
  else {
    const title = wrap(output.title, terminal.columns ?? Number.POSITIVE_INFINITY);
    terminal.print([...title, formatTable(output.fields)].join('\n'));
  }
}

/** Prints a result as one line of JSON, or as a sentence. */
export function printSentence(
  terminal: Terminal,
  options: OutputOptions,
  output: { json: unknown; sentence: string },
): void {
  terminal.print(options.json ? JSON.stringify(output.json) : output.sentence);
}
