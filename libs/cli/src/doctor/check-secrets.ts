// Checks the strength of the secrets in the settings. No secret is printed.
import { readKeptFile } from '@counterfoil/kit/process/files';
import { isOpenToOthers } from './check-machine.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import type { Machine } from './machine.ts';

const minTokenLength = 16;
/**
 * A master key with fewer different bytes than this number is reported as weak. 32 random bytes have about 30
 * different values.
 */
const minDifferentBytes = 16;
const tokens = ['METRICS_TOKEN', 'PROVIDER_API_TOKEN', 'PROVIDER_CONTROL_TOKEN'];
const secrets = ['MASTER_KEY', 'LICENSING_DATABASE_URL', 'WALLET_DATABASE_URL', ...tokens];

export async function checkSecrets({ env }: Machine): Promise<Finding[]> {
  const findings: Finding[] = [];
  const masterKey = await readSecret(env, 'MASTER_KEY');
  if (masterKey !== undefined && isGuessable(masterKey)) {
    findings.push(
      problem(
        'secrets',
        'MASTER_KEY does not look random',
        'If the database is still empty, create a new key: openssl rand -base64 32',
      ),
    );
  }
  for (const name of tokens) {
    const token = await readSecret(env, name);
    if (token !== undefined && token.length < minTokenLength) {
      const says = `${name} has fewer than ${minTokenLength} characters`;
      findings.push(warning('secrets', says, 'Create one with: openssl rand -base64 24'));
    }
  }
  for (const name of secrets.map((each) => `${each}_FILE`)) {
    const path = env[name];
    if (path && (await isOpenToOthers(path))) {
      const says = `other users can read the file of ${name}`;
      findings.push(warning('secrets', says, `chmod 600 ${path}`));
    }
  }
  return findings.length > 0 ? findings : [ok('secrets', 'none is weak or readable by others')];
}

/**
 * Reads a secret. If its file cannot be read, the result is undefined, because the check of the settings
 * reports the unreadable file.
 */
async function readSecret(env: Machine['env'], name: string): Promise<string | undefined> {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  return readKeptFile(file).catch(() => undefined);
}

export function isGuessable(text: string): boolean {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (bytes.length !== 32) return false;
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText || new Set(bytes).size < minDifferentBytes;
}
