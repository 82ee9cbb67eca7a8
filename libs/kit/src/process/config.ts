// Reads settings from the environment and reports all problems together.
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { PlainError } from './plain-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A setting. `parse` converts the text of the setting to its value, or throws an Error that names the
 * problem.
 */
export type Setting<T> = {
  readonly parse: (text: string) => T;
  readonly fallback?: T;
  /** Whether the setting is a secret. A secret may also be read from the file that `<NAME>_FILE` names. */
  readonly secret?: boolean;
  readonly optional?: boolean;
};

export class ConfigError extends PlainError {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  - ${problem}`).join('\n');
    super(`${problems.length === 1 ? 'A setting is' : 'Settings are'} wrong:\n${list}`);
    this.problems = problems;
  }
}

/** The values of a set of settings. */
export type Values<S extends Record<string, Setting<unknown>>> = {
  [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/**
 * Reads all settings. `check` finds problems that concern several settings together. An empty variable counts
 * as unset, as it does in compose files and unit files.
 */
export function readConfig<S extends Record<string, Setting<unknown>>>(
  env: Environment,
  settings: S,
  check: (values: Partial<Values<S>>) => string[] = () => [],
): Values<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    try {
      values[name] = readSetting(env, name, setting);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  problems.push(...check(values as Partial<Values<S>>));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Values<S>;
}

function readSetting(env: Environment, name: string, setting: Setting<unknown>): unknown {
  const text = readText(env, name, setting);
  if (text !== undefined) return setting.parse(text);
  if ('fallback' in setting) return setting.fallback;
  if (setting.optional) return undefined;
  throw new Error('is required');
}

function readText(env: Environment, name: string, setting: Setting<unknown>): string | undefined {
  const direct = env[name] || undefined;
  const file = setting.secret ? env[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined) {
    throw new Error(`is given twice: use either it or ${name}_FILE`);
  }
  if (file === undefined) return direct;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`cannot be read from ${name}_FILE ${JSON.stringify(file)} (${code})`);
  }
}

export const text = (fallback: string): Setting<string> => ({ parse: (t) => t, fallback });

export const optionalText = (): Setting<string | undefined> => ({ parse: (t) => t, optional: true });

export const wholeNumber = (limits: { fallback: number; min: number; max: number }): Setting<number> => ({
  fallback: limits.fallback,
  parse: (t) => {
    const value = /^\d{1,15}$/.test(t) ? Number(t) : Number.NaN;
    if (value >= limits.min && value <= limits.max) return value;
    const range = `from ${limits.min} to ${limits.max}`;
    throw new Error(`must be a whole number ${range}, not ${JSON.stringify(t)}`);
  },
});

export const port = (fallback: number): Setting<number> => wholeNumber({ fallback, min: 1, max: 65535 });

const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** The setting of an address to listen on: an IP address, or a host name with at least one letter. */
export const host = (): Setting<string> => ({
  fallback: '127.0.0.1',
  parse: (t) => {
    if (isIP(t) !== 0 || (hostName.test(t) && /[a-z]/i.test(t))) return t;
    throw new Error(`must be an IP address or a host name, not ${JSON.stringify(t)}`);
  },
});

/**
 * Returns the URL at which a browser on this machine reaches a service that listens on this host and port.
 */
export function urlOf(listenHost: string, portNumber: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[listenHost] ?? listenHost;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${portNumber}`;
}

export const oneOf = <T extends string>(choices: readonly T[], fallback: T): Setting<T> => ({
  fallback,
  parse: (t) => {
    const found = choices.find((choice) => choice === t);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${choices.join(', ')}, not ${JSON.stringify(t)}`);
  },
});

function parseUrl(t: string, protocols: readonly string[]): URL {
  const url = URL.canParse(t) ? new URL(t) : undefined;
  if (url && protocols.includes(url.protocol)) return url;
  // The message does not repeat the value, because an address may contain a password.
  throw new Error(`must be an address that starts with ${protocols.join('// or ')}//`);
}

/** The setting of a public base URL. Its value has no trailing slash. */
export const httpUrl = (): Setting<string | undefined> => ({
  optional: true,
  parse: (t) => {
    const url = parseUrl(t, ['http:', 'https:']);
    if (url.search || url.hash) throw new Error('must be an address without a query or fragment');
    return url.href.replace(/\/$/, '');
  },
});

export const databaseUrl = (): Setting<string | undefined> => ({
  optional: true,
  secret: true,
  parse: (t) => {
    parseUrl(t, ['postgres:', 'postgresql:']);
    return t;
  },
});

export const list = (): Setting<string[]> => ({
  fallback: [],
  parse: (t) =>
    t
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
});
