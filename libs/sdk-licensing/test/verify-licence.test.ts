// The JavaScript, PHP and Python verifiers give the same verdict, and reason, on every licence.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../../../services/licensing/server/test/environment/given.ts';
import { verifyLicence } from '../src/index.ts';
import { makeOfflineCases, type OfflineCase } from './offline-cases.ts';

const root = join(import.meta.dirname, '../../..');
let given: Given;
let folder: string;
let cases: OfflineCase[];

beforeAll(async () => {
  given = await givenLicensing();
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-offline-'));
  cases = await makeOfflineCases(given);
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await given.close();
});

const can = (program: string, ...args: string[]) => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const hasPhp = can('php', '--version') || Boolean(process.env.CI);
const hasPython = can('python3', '-c', 'import cryptography');

const expected = () => cases.map(({ title, expected: verdict }) => `${title}: ${verdict}`);
const titled = (verdicts: readonly string[]) => cases.map(({ title }, n) => `${title}: ${verdicts[n]}`);

const phpScript = `<?php
require $argv[1];
$verdicts = [];
foreach (json_decode(file_get_contents($argv[2]), true) as $case) {
  $check = array_intersect_key($case, ['domain' => 1, 'revocations' => 1, 'now' => 1]);
  $verdict = Counterfoil\\OfflineLicence::verify($case['licence'], $case['keys'], $check);
  $verdicts[] = $verdict->valid ? ($verdict->inGrace ? 'grace' : 'valid') : $verdict->reason;
}
echo json_encode($verdicts);`;

const pythonScript = `
import sys
verdicts = []
for case in json.load(open(sys.argv[1])):
    claims, reason = verify_licence(
        case["licence"], case["keys"], case["domain"], case.get("revocations"), case["now"])
    verdicts.append("accepted" if claims else reason)
print(json.dumps(verdicts))
`;

describe('an offline licence', () => {
  it('each licence of makeOfflineCases gets its expected verdict in JavaScript', async () => {
    const verdicts = [];
    for (const { now, ...each } of cases) {
      const { keys, domain, revocations, licence } = each;
      const list = revocations === undefined ? {} : { revocations };
      const verdict = await verifyLicence(licence, { keys, domain, ...list, now: new Date(now * 1000) });
      verdicts.push(verdict.valid ? (verdict.inGrace ? 'grace' : 'valid') : verdict.reason);
    }
    expect(titled(verdicts)).toEqual(expected());
  });

  it('an offline licence is valid only for its item and its host, in any spelling of the host', async () => {
    const [first] = cases as [OfflineCase];
    const now = new Date(first.now * 1000);
    const check = async (more: object) => {
      const verdict = await verifyLicence(first.licence, { keys: first.keys, now, ...more });
      return verdict.valid || verdict.reason;
    };
    expect(await check({ domain: first.domain, itemId: 999_999 })).toBe('wrong_item');
    expect(await check({ machineId: first.domain })).toBe('wrong_host');
    expect(await check({})).toBe('wrong_host');
    for (const domain of [
      'https://www.Shop.Example:8443/a?b',
      'SHOP.example.',
      '//shop.example/',
      'u@shop.example',
    ])
      expect(await check({ domain })).toBe(true);
  });

  const php = hasPhp ? 'is verified in PHP' : 'is verified in PHP (skipped: php not installed)';
  it.skipIf(!hasPhp)(php, () => {
    writeFileSync(join(folder, 'verify.php'), phpScript);
    const client = join(root, 'libs/sdk-php/counterfoil.php');
    const args = [join(folder, 'verify.php'), client, join(folder, 'cases.json')];
    expect(titled(JSON.parse(execFileSync('php', args, { encoding: 'utf8' })))).toEqual(expected());
  });

  const python = "is verified in Python by the guide's snippet";
  const title = hasPython ? python : `${python} (skipped: Python's cryptography not installed)`;
  it.skipIf(!hasPython)(title, () => {
    const page = readFileSync(join(root, 'docs/guide/offline-licences.md'), 'utf8');
    const [, snippet = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
    const functions = snippet.split('if __name__')[0];
    writeFileSync(join(folder, 'verify.py'), `${functions}${pythonScript}`);
    const args = [join(folder, 'verify.py'), join(folder, 'cases.json')];
    const verdicts = JSON.parse(execFileSync('python3', args, { encoding: 'utf8' }));
    const accepted = expected().map((line) => line.replace(/: (?:valid|grace)$/, ': accepted'));
    expect(titled(verdicts)).toEqual(accepted);
  });
});
