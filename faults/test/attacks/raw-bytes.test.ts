// Both services under spoilt bytes: an answer or an end in time, no 5xx, and nothing changed by a no.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations } from './operations.ts';
import { hurry, sendRaw } from './raw.ts';
import { makeRawCase, type Template } from './raw-cases.ts';
import { report, seed, size } from './sizes.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

const cases = size(60, 1_500);
const together = 30;

function makeTemplates(target: Target, paths: readonly (readonly [string, string])[]): Template[] {
  return paths.map(([title, body]) => {
    const operation = listOperations(target.document).find((each) => each.title === title);
    if (!operation) throw new Error(`there is no ${title}`);
    const { headers } = target.letters(operation, 'own');
    const letters = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const first = `${operation.method} ${operation.path} HTTP/1.1`;
    const bodyLines =
      body === ''
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
    return [[first, 'Host: 127.0.0.1', ...letters, ...bodyLines], body];
  });
}

const targets = [
  [
    'licensing',
    () => openLicensingTarget(),
    [
      ['GET /api/items/all', ''],
      ['POST /api/purchases/validation', '{"purchase_code":"0b0f3c1e"}'],
      ['POST /api/v1/items', '{"kind":"image","name":"Raw","currency":"USD"}'],
      ['POST /panel/session', '{"email":"a@test.example","password":"x"}'],
    ],
  ],
  [
    'wallet',
    () => openWalletTarget(),
    [
      ['GET /api/v1/user/list', ''],
      ['POST /api/v1/user/create', '{"player_id":"raw"}'],
      [
        'POST /api/v1/user/update_balance',
        '{"player_id":"player-a1","type":"credit","amount":1,"transaction_id":"raw"}',
      ],
      ['POST /api/v1/game/callback', '{"action":"balance","player_id":"player-a1"}'],
    ],
  ],
] as const;

describe.each(targets)('%s', (name, open, paths) => {
  let target: Target;
  beforeAll(async () => {
    target = await open();
    hurry(target.server);
  });
  afterAll(() => target.close());

  it('ends every spoilt request in time, without a 5xx, and a refused one changes nothing', async () => {
    const fingerprint = await createFingerprint(target.db, target.notes);
    const drawn = fc.sample(makeRawCase(makeTemplates(target, paths)), { numRuns: cases, seed });
    const problems: string[] = [];
    const seen: Record<string, number> = {};
    let before = await fingerprint();
    for (let at = 0; at < drawn.length; at += together) {
      const batch = drawn.slice(at, at + together);
      const answers = await Promise.all(batch.map((bytes) => sendRaw(target.port, bytes)));
      const after = await fingerprint();
      const told = (i: number) => JSON.stringify(batch[i]?.toString('latin1'));
      for (const [i, { statuses, isClosed }] of answers.entries()) {
        if (!isClosed) problems.push(`no end: ${told(i)}`);
        if (statuses.some((status) => status >= 500)) problems.push(`5xx: ${told(i)}`);
        const key = statuses.join(' ') || 'no answer';
        seen[key] = (seen[key] ?? 0) + 1;
      }
      const isRefused = answers.every(({ statuses }) => statuses.every((status) => status >= 400));
      const changes = listChanges(before, after);
      if (isRefused && changes.length > 0) {
        problems.push(`changed ${changes.join(', ')}: one of ${batch.map((_, i) => told(i))}`);
      }
      before = after;
    }
    report(
      `${name}: ${cases} raw requests (seed ${seed}): ${JSON.stringify(seen)}, ${problems.length} problems`,
    );
    expect(problems).toEqual([]);
    const alive = await sendRaw(
      target.port,
      Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    );
    expect(alive.statuses).toEqual([200]);
  }, 900_000);
});
