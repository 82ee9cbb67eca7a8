// How strong the secrets are that the settings bring along; none of them is ever repeated.
import { readFile } from 'node:fs/promises';
import { isOpenToOthers } from './check-machine.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import type { Machine } from './machine.ts';

const leastTokenLength = 16;
/** Thirty-two random bytes have some thirty different ones among them. */
const leastDifferentBytes = 16;
const tokens = ['METRICS_TOKEN', 'PROVIDER_API_TOKEN', 'PROVIDER_CONTROL_TOKEN'];
const files = [
  ...['MASTER_KEY', 'LICENSING_DATABASE_URL', 'WALLET_DATABASE_URL', ...tokens].map(
    (name) => `${name}_FILE`,
  ),
];

export async function checkSecrets({ env }: Machine): Promise<Finding[]> {
  const findings: Finding[] = [];
  const masterKey = await readSecret(env, 'MASTER_KEY');
  if (masterKey !== undefined && isGuessable(masterKey)) {
    findings.push(
      problem(
        'secrets',
        'MASTER_KEY looks written by hand, not drawn at random',
        'Before there is data, make one with: openssl rand -base64 32',
      ),
    );
  }
  for (const name of tokens) {
    const token = await readSecret(env, name);
    if (token !== undefined && token.length < leastTokenLength) {
      const says = `${name} has fewer than ${leastTokenLength} characters`;
      findings.push(warning('secrets', says, 'Make one with: openssl rand -base64 24'));
    }
  }
  for (const name of files) {
    const path = env[name];
    if (path && (await isOpenToOthers(path))) {
      const says = `the file of ${name} can be read by others`;
      findings.push(warning('secrets', says, `chmod 600 ${path}`));
    }
  }
  return findings.length > 0 ? findings : [ok('secrets', 'none that is given is weak or open')];
}

/** One that can not be read is a problem of the settings, and told there. */
async function readSecret(env: Machine['env'], name: string): Promise<string | undefined> {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

export function isGuessable(text: string): boolean {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (bytes.length !== 32) return false;
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText || new Set(bytes).size < leastDifferentBytes;
}
