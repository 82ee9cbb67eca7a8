// Options and tools that the commands share.
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { withJson, withPage } from '@counterfoil/kit/process/command-line/page-options';
import {
  type OutputOptions,
  printSentence,
  type Terminal,
} from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, Option } from 'commander';
import type { Caller } from '../audit/audit-event.ts';
import type { Config } from '../config.ts';
import { getWorkspace } from '../workspaces/queries.ts';

export interface Tools {
  readonly config: Config;
  readonly db: Db;
}

export interface CommandTools extends Terminal {
  /** Opens the database for a command, and closes it afterwards. */
  readonly run: <T>(work: (tools: Tools) => Promise<T>) => Promise<T>;
  /** Reads standard input. A key must not be an argument, because other users can see arguments. */
  readonly readInput: () => Promise<string>;
}

export interface OfWorkspace extends OutputOptions {
  readonly workspace: string;
}

const withWorkspace = (command: Command): Command =>
  command.requiredOption('--workspace <id>', 'the id of the workspace');

/** Adds a command with `--workspace` and `--json`. */
export const addWorkspaceCommand = (parent: Command, name: string): Command =>
  withJson(withWorkspace(parent.command(name)));

/** Adds a `list` command, which prints one page of a workspace's data. */
export const addWorkspaceList = (parent: Command): Command =>
  withNumberedPage(withWorkspace(parent.command('list')));

/**
 * Adds the options that select a page of a list. A cursor is one number, or two numbers with a dot between
 * them.
 */
export const withNumberedPage = (command: Command): Command => withPage(command, /^\d{1,18}(?:\.\d{1,18})?$/);

export const formatOption = (): Option =>
  new Option('--format <format>', "the format; by default the file's extension decides").choices([
    'csv',
    'ndjson',
  ]);

/** Opens the database for a command that is about a workspace. */
export const runInWorkspace = <T>(
  tools: CommandTools,
  given: OfWorkspace,
  work: (opened: Tools & { caller: Caller }) => Promise<T>,
): Promise<T> => tools.run(async (opened) => work({ ...opened, caller: await findCaller(opened.db, given) }));

/** Makes a change in one transaction, and prints the result that `change` returns. */
export const runChange = (
  tools: CommandTools,
  given: OutputOptions,
  change: (tx: Tx, config: Config) => Promise<{ json: object; sentence: string }>,
): Promise<void> =>
  tools.run(async ({ db, config }) =>
    printSentence(tools, given, await db.transaction((tx) => change(tx, config))),
  );

/** Returns the workspace and the actor of a command. Throws if the workspace is unknown. */
export async function findCaller(db: Queryable, given: OfWorkspace): Promise<Caller> {
  const workspaceId = parseNumber('workspace', given.workspace);
  await getWorkspace(db, workspaceId);
  return { workspaceId, actor: {} };
}

export function parseNumber(thing: 'workspace' | 'purchase', text: string): bigint {
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw new CommandRefused(`--${thing} takes the number of a ${thing}`);
}
