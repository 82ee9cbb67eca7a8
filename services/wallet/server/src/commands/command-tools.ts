// What every command needs: the service's database and settings, and a place to say the result.

import type { Db } from '@counterfoil/kit/postgres/db';
import type { Terminal } from '@counterfoil/kit/process/command-line/print';
import type { Config } from '../config.ts';

export interface CommandTools extends Terminal {
  readonly run: <T>(work: (tools: { config: Config; db: Db }) => Promise<T>) => Promise<T>;
}
