// How a command says its result: a table or fields for people, one JSON document for programs.
import { formatTable, wrap } from './table.ts';

/** Where a command's words go. */
export interface Terminal {
  /** The result, and nothing else: the standard output. */
  readonly print: (line: string) => void;
  /** Everything that is not the result: the standard error. */
  readonly note?: ((line: string) => void) | undefined;
  /** How wide it is; undefined where nobody looks, and then nothing is cut. */
  readonly columns?: number | undefined;
}

export interface OutputOptions {
  readonly json?: boolean;
}

export interface Rows {
  readonly json: unknown;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns by name that are cut last. */
  readonly keep?: readonly string[];
  /** Where the next page starts. */
  readonly next?: string | null | undefined;
}

const toError = (line: string) => void process.stderr.write(`${line}\n`);

/** Where what is not the result is said. */
export const noteOf = ({ note = toError }: Terminal): ((line: string) => void) => note;

/** The same for programs and for people: JSON on one line, or a table. */
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
  if (output.next) noteOf(terminal)(`There is more: --cursor ${output.next}`);
}

/** The same for one thing with its fields, one on a line and whole: a secret may be among them. */
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

/** The same for what is said in a sentence. */
export function printSentence(
  terminal: Terminal,
  options: OutputOptions,
  output: { json: unknown; sentence: string },
): void {
  terminal.print(options.json ? JSON.stringify(output.json) : output.sentence);
}
