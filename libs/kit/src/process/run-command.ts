// Runs one command of a service with its settings and a migrated database.
import type { Command } from 'commander';
import type { MasterKey } from '../crypto/secrets.ts';
import { ServiceError } from '../http/errors.ts';
import { createLogger, type Logger } from '../observability/logging.ts';
import type { Db } from '../postgres/db.ts';
import { readMigrations } from '../postgres/migrate.ts';
import { prepareDatabase } from '../postgres/prepare-database.ts';
import type { Environment } from './config.ts';
import { CommandRefused } from './plain-error.ts';

export interface CommandConfig {
  readonly databaseUrl: string;
  readonly directUrl: string;
  readonly databaseConnections: number;
  readonly production: boolean;
  readonly masterKey: MasterKey;
}

/** Calls `work` with an environment that names the database and the master key. */
type WithEnvironment = <T>(
  options: { env: Environment; database: string; urlName: string },
  work: (env: Environment) => Promise<T>,
) => Promise<T>;

export interface CommandOptions<Config extends CommandConfig> {
  readonly service: 'licensing' | 'wallet';
  readonly urlName: string;
  readonly readConfig: (env: Environment) => Config;
  readonly migrationFolders: readonly string[];
  /** Finds the database if the environment does not name one. */
  readonly withEnvironment: WithEnvironment;
  /** The environment variables. The default is the environment of the process. */
  readonly env?: Environment;
  /** Called when the database is open. A command that fails before this call has changed nothing. */
  readonly onReady?: () => void;
}

/** Returns a function that reads the settings, opens the database, runs a command and closes the database. */
export function createCommandRunner<Config extends CommandConfig>(options: CommandOptions<Config>) {
  return <T>(work: (tools: { config: Config; db: Db; logger: Logger }) => Promise<T>): Promise<T> =>
    options.withEnvironment(
      { env: options.env ?? process.env, database: options.service, urlName: options.urlName },
      async (env) => {
        const config = options.readConfig(env);
        const logger = createLogger({ service: options.service, level: 'warn' });
        const db = await prepareDatabase({
          url: config.databaseUrl,
          directUrl: config.directUrl,
          applicationName: `counterfoil ${options.service} command`,
          maxConnections: config.databaseConnections,
          migrations: await readMigrations(options.migrationFolders),
          production: config.production,
          masterKey: config.masterKey,
          logger,
        });
        options.onReady?.();
        try {
          return await work({ config, db, logger });
        } finally {
          await db.end();
        }
      },
    );
}

/**
 * Parses the command line and runs the command. If the command is refused, prints a sentence without a stack
 * trace and sets the exit status.
 */
export async function runCommand(program: Command): Promise<void> {
  const output = watchOutput();
  try {
    await program.parseAsync();
  } catch (error) {
    if (output.isReaderGone(error)) return;
    if (!(error instanceof ServiceError) && !(error instanceof CommandRefused)) throw error;
    process.stderr.write(`${describeRefusal(error)}\n`);
    process.exitCode = 2;
  }
}

/** Describes the reason of a refusal in one sentence, with the invalid fields. */
export function describeRefusal(error: ServiceError | CommandRefused): string {
  if (error instanceof CommandRefused) return error.message;
  const fields = Object.entries(error.details.errors ?? {});
  const detail = fields.map(([field, sentences]) => `: ${field} ${sentences.join(' ')}`).join('');
  return `${error.msg}${detail}`;
}

/**
 * Ignores the error of a closed pipe: a reader such as `… | head -1` may close the pipe early, which is not a
 * failure.
 */
export function watchOutput(): { isReaderGone: (error: unknown) => boolean } {
  let isGone = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && !isGone) throw error;
    isGone = true;
  });
  const codes = ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];
  return { isReaderGone: (error) => isGone && codes.includes((error as NodeJS.ErrnoException).code ?? '') };
}
