// A wrong setting stops the start of the service, and all problems are reported together.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ConfigError,
  databaseUrl,
  httpUrl,
  list,
  oneOf,
  optionalText,
  port,
  readConfig,
  text,
} from './config.ts';

const settings = {
  HOST: text('127.0.0.1'),
  PORT: port(4100),
  MODE: oneOf(['a', 'b'], 'a'),
  PUBLIC_URL: httpUrl(),
  DATABASE_URL: databaseUrl(),
  TRUST_PROXY: list(),
  TOKEN: { ...optionalText(), secret: true },
};

const problemsOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
  }
  throw new Error('expected a ConfigError');
};

describe('readConfig', () => {
  it('readConfig returns the defaults if nothing is set, and treats an empty variable as unset', () => {
    expect(readConfig({ HOST: '', TOKEN: '' }, settings)).toEqual({
      HOST: '127.0.0.1',
      PORT: 4100,
      MODE: 'a',
      PUBLIC_URL: undefined,
      DATABASE_URL: undefined,
      TRUST_PROXY: [],
      TOKEN: undefined,
    });
  });

  it('readConfig lists all problems together and never prints a URL that may contain a password', () => {
    const env = {
      PORT: '70000',
      MODE: 'c',
      PUBLIC_URL: 'ftp://x',
      DATABASE_URL: 'mysql://me:hunter2@h/d',
    };
    const problems = problemsOf(() => readConfig(env, settings, () => ['together they are wrong']));
    expect(problems).toEqual([
      'PORT must be a whole number from 1 to 65535, not "70000"',
      'MODE must be one of a, b, not "c"',
      'PUBLIC_URL must be an address that starts with http:// or https://',
      'DATABASE_URL must be an address that starts with postgres:// or postgresql://',
      'together they are wrong',
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each(['0x10', '1e3', '-1', ' 80', '80.5'])('readConfig refuses %j as a port', (value) => {
    expect(problemsOf(() => readConfig({ PORT: value }, settings))).toHaveLength(1);
  });

  it('a secret is read from the file in TOKEN_FILE; TOKEN and TOKEN_FILE together are refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'token');
    writeFileSync(file, 'from-file\n');
    expect(readConfig({ TOKEN_FILE: file }, settings).TOKEN).toBe('from-file');
    expect(problemsOf(() => readConfig({ TOKEN: 'x', TOKEN_FILE: file }, settings))).toEqual([
      'TOKEN is given twice: use either it or TOKEN_FILE',
    ]);
    expect(problemsOf(() => readConfig({ TOKEN_FILE: '/no/such' }, settings))[0]).toContain(
      'cannot be read from TOKEN_FILE "/no/such" (ENOENT)',
    );
  });

  it('readConfig splits lists and drops a trailing slash of a URL', () => {
    const config = readConfig({ TRUST_PROXY: '10.0.0.1, ::1,', PUBLIC_URL: 'https://x.y/' }, settings);
    expect(config.TRUST_PROXY).toEqual(['10.0.0.1', '::1']);
    expect(config.PUBLIC_URL).toBe('https://x.y');
  });
});
