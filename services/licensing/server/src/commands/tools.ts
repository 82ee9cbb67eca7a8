// Options and tools that the commands share.
import type { Db } from '@counterfoil/kit/postgres/db';
import { withPage } from '@counterfoil/kit/process/command-line/page-options';
import type { OutputOptions, Terminal } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { getWorkspace } from '../workspaces/queries.ts';

export interface Tools {
  readonly config: Config;
  readonly db: Db;
}

/** Opens the database for a command, and closes it afterwards. */
export type Run = <T>(work: (tools: Tools) => Promise<T>) => Promise<T>;

export interface CommandTools extends Terminal {
  readonly run: Run;
  /** Reads standard input: a key must not be an argument, because other users can see those. */
  readonly readInput: () => Promise<string>;
}

export interface OfWorkspace extends OutputOptions {
  readonly workspace: string;
}

export const withWorkspace = (command: Command): Command =>
  command.requiredOption('--workspace <id>', 'the workspace');

/** A cursor is one number or two. */
export const withNumberedPage = (command: Command): Command =>
  withPage(command, /^\d{1,18}(?:\.\d{1,18})?$/);

/** The workspace of the command; an unknown one is refused before anything else. */
export async function findCaller(db: Db, given: OfWorkspace) {
  const workspaceId = parseWorkspaceId(given.workspace);
  await getWorkspace(db, workspaceId);
  return { workspaceId, actor: {} };
}

const parseNumberOf =
  (thing: string) =>
  (text: string): bigint => {
    if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
    throw new CommandRefused(`--${thing} takes the number of a ${thing}`);
  };

export const parseWorkspaceId = parseNumberOf('workspace');
export const parsePurchaseId = parseNumberOf('purchase');
