// The .env files and systemd units in deploy match the services, and every placeholder is documented.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { serviceFlags } from '../../libs/kit/src/process/run-processes.ts';
import { licensingSettings, readLicensingConfig } from '../../services/licensing/server/src/config.ts';
import { readWalletConfig, walletSettings } from '../../services/wallet/server/src/config.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const wordsIn = (text: string) => [...text.matchAll(/\{\{([A-Z_]+)\}\}/g)].map(([, word]) => word);

it('deploy/ha/README.md documents every placeholder of the files in deploy/ha, and no other', () => {
  const files = readdirSync(join(import.meta.dirname, '../../deploy/ha')).filter(
    (name) => name !== 'README.md',
  );
  const asked = files.flatMap((name) => wordsIn(read(`deploy/ha/${name}`)));
  const [, documented = ''] = read('deploy/ha/README.md').split('## The words in braces');
  const rows = [...documented.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  const explained = rows.flatMap((cell) => cell.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(explained.sort()).toEqual([...new Set(asked)].sort());
});

it.each([
  ['wallet', walletSettings, readWalletConfig],
  ['licensing', licensingSettings, readLicensingConfig],
] as const)(
  'every setting in %s.env is known to the service, and no required setting is missing',
  async (name, settings, readConfig) => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-deploy-'));
    try {
      const MASTER_KEY_FILE = join(folder, 'master-key');
      writeFileSync(MASTER_KEY_FILE, Buffer.alloc(32, 7).toString('base64'));
      const filled = read(`deploy/ha/${name}.env`).replace(/\{\{([A-Z_]+)\}\}/g, (_, word: string) =>
        word === 'MASTER_KEY_FILE' ? MASTER_KEY_FILE : fill(word),
      );
      const env = parseEnv(filled) as Record<string, string>;
      const known = Object.keys(settings).flatMap((setting) => [setting, `${setting}_FILE`]);
      expect(Object.keys(env).filter((setting) => !known.includes(setting))).toEqual([]);
      expect(readConfig(env)).toMatchObject({
        production: true,
        metricsToken: 'filled',
        publicUrl: 'https://filled.example',
        ...(name === 'wallet' && {
          upstream: { privateUrl: 'https://filled.example', publicUrl: 'https://filled.example' },
        }),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.each([
  ['wallet', walletSettings],
  ['licensing', licensingSettings],
])('docs/operate/operations.md documents every setting of %s', (_name, settings) => {
  const page = read('docs/operate/operations.md');
  expect(Object.keys(settings).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** Returns an example value for a placeholder. */
function fill(word: string): string {
  if (word.endsWith('_URL')) return 'https://filled.example';
  if (word.endsWith('_HOST')) return '10.0.1.1';
  // The ports of the processes must not include the port that the processes share.
  if (word === 'WALLET_PROCESS_PORT') return '9001';
  return word.endsWith('_PORT') || word === 'PROCESSES' ? '5' : 'filled';
}

it.each(['wallet', 'licensing'])(
  'the systemd unit of %s passes the master key so that no EnvironmentFile can override it',
  (name) => {
    const unit = read(`deploy/systemd/counterfoil-${name}.service`);
    // EnvironmentFile overrides Environment=, but not the command line. So the command line must set
    // MASTER_KEY_FILE.
    expect(unit).toMatch(/^LoadCredential=master-key:/m);
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env MASTER_KEY_FILE=%d\/master-key \/usr\/bin\/node /m);
  },
);

it.each([
  ['package.json', 2],
  ['compose.yaml', 1],
  ['Dockerfile', 1],
  ['deploy/systemd/counterfoil-wallet.service', 1],
  ['deploy/systemd/counterfoil-licensing.service', 1],
])('every command in %s that starts a service alone has the flags of serviceFlags', (path, count) => {
  const withoutComments = read(path).replace(/^#.*\n/gm, '');
  const commands = withoutComments.matchAll(/\bnode\b(.*?)(?:server\/dist\/bundle\/main\.js|start:[lw])/g);
  const flags = [...commands].map(([, words = '']) => words.match(/--[^\s",]+/g) ?? []);
  expect(flags).toEqual(Array.from({ length: count }, () => serviceFlags));
});

it('this version of Node accepts serviceFlags', () => {
  const { status, stderr } = spawnSync(process.execPath, [...serviceFlags, '--eval', '']);
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});
