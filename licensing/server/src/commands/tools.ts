// What the verbs of the command line share.
import type { Db } from '@counterfoil/kit/db';
import { CommandRefused } from '@counterfoil/kit/local-environment';
import type { Logger } from '@counterfoil/kit/logging';
import type { Config } from '../config.ts';

export interface Tools {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
}

/** Opens the database for a verb, and closes it again. */
export type Run = <T>(work: (tools: Tools) => Promise<T>) => Promise<T>;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

const parseNumberOf =
  (thing: string) =>
  (text: string): bigint => {
    if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
    throw new CommandRefused(`--${thing} takes the number of a ${thing}`);
  };

export const parseWorkspaceId = parseNumberOf('workspace');
export const parsePurchaseId = parseNumberOf('purchase');
