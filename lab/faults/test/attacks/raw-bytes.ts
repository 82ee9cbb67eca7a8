// Sends corrupted requests to both services. No request gets a 5xx, every connection is closed, and
// refused requests change nothing.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { createFingerprint, listChanges } from './fingerprint.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { getOperation } from './operations.ts';
import { type RawAnswer, sendRaw, sendTogether } from './raw.ts';
import { makeRawCase, type Template } from './raw-cases.ts';
import { report, seed } from './sizes.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

const together = 60;

type Whose = 'own' | 'foreign';
type Paths = readonly (readonly [title: string, body: string])[];

function makeTemplates(target: Target, paths: Paths, whose: Whose): Template[] {
  return paths.map(([title, text]) => {
    const operation = getOperation(target.document, title);
    const headers = Object.entries(target.headersFor(operation, whose));
    const headerLines = headers.map(([name, value]) => `${name}: ${value}`);
    const first = `${operation.method} ${operation.path} HTTP/1.1`;
    const body = fillMarks(text, (name) => target.idOf(name, whose));
    const bodyLines =
      body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
    return [[first, 'Host: 127.0.0.1', ...headerLines, ...bodyLines], body];
  });
}

const isRefused = ({ statuses }: RawAnswer) => statuses.every((status) => status >= 400);
/**
 * Whether the answer is from the service. Node's parser refuses most corrupted requests before the service
 * sees them.
 */
const isOfService = ({ text }: RawAnswer) => text.includes('x-request-id:');
/** Whether the request must leave the data unchanged, because it was refused or because it only reads. */
const isWithoutTrace = (bytes: Buffer, answer: RawAnswer) => isRefused(answer) || !bytes.includes('POST');

const never = (): never => {
  throw new Error('a request has no answer');
};

const quoteBytes = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1'));

function* inGroups<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += together) yield all.slice(at, at + together);
}

const targets = [
  [
    'licensing',
    () => openLicensingTarget(),
    ['POST /api/v1/items', '{"kind":"image","name":"Let in","currency":"USD"}'],
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
    ['POST /api/v1/user/create', '{"player_id":"let-in"}'],
    [
      ['GET /api/v1/user/list', ''],
      ['POST /api/v1/user/create', '{"player_id":"raw"}'],
      [
        'POST /api/v1/user/update_balance',
        '{"player_id":"@@player_id.own@@","type":"credit","amount":1,"transaction_id":"raw"}',
      ],
      ['POST /api/v1/game/callback', '{"action":"balance","player_id":"@@player_id.own@@"}'],
    ],
  ],
] as const;

/** Declares the tests, with this number of requests per service. */
export function describeRawBytes(cases: number): void {
  describe.each(targets)('the service %s', (name, open, control, paths) => {
    let target: Target;
    beforeAll(async () => {
      target = await open();
    });
    afterAll(() => target.close());

    const problems: string[] = [];
    const seen: Record<string, number> = {};

    async function send(group: readonly Buffer[]): Promise<RawAnswer[]> {
      const answers = await sendTogether(target, group);
      for (const [i, { statuses, isClosed }] of answers.entries()) {
        const quoted = quoteBytes(group[i] ?? Buffer.alloc(0));
        if (!isClosed) problems.push(`the connection stayed open: ${quoted}`);
        if (statuses.some((status) => status >= 500)) problems.push(`5xx: ${quoted}`);
        const key = statuses.join(' ') || 'no answer';
        seen[key] = (seen[key] ?? 0) + 1;
      }
      return answers;
    }

    /**
     * Returns the requests that change no data, with the tenant's own ids. To find these requests, the
     * function first sends each request with the ids of another tenant.
     */
    async function listWithoutTrace(): Promise<Buffer[]> {
      const draw = (whose: Whose) =>
        fc.sample(makeRawCase(makeTemplates(target, paths, whose)), { numRuns: cases, seed });
      const tried: boolean[] = [];
      for (const group of inGroups(draw('foreign'))) {
        const answers = await send(group);
        tried.push(...group.map((bytes, i) => isWithoutTrace(bytes, answers[i] ?? never())));
      }
      return draw('own').filter((_, i) => tried[i]);
    }

    it('no corrupt request is answered with a 5xx, and no refused request changes data', async () => {
      const fingerprint = await createFingerprint(target.db, target.logTables);
      const harmless = await listWithoutTrace();
      let compared = 0;
      let refusedInside = 0;
      let before = await fingerprint();
      for (const group of inGroups(harmless)) {
        const answers = await send(group);
        const after = await fingerprint();
        const changes = listChanges(before, after);
        before = after;
        // If the service accepted a request of the group, the request may have changed data. So the group is
        // skipped.
        if (!group.every((bytes, i) => isWithoutTrace(bytes, answers[i] ?? never()))) continue;
        compared += group.length;
        refusedInside += answers.filter((each) => isRefused(each) && isOfService(each)).length;
        if (changes.length > 0) problems.push(`changed ${changes}: one of ${group.map(quoteBytes)}`);
      }
      report(
        `${name}: ${cases} raw requests (seed ${seed}), ${compared} compared for changes, ` +
          `${refusedInside} refused by the service: ` +
          `${JSON.stringify(seen)}, ${problems.length} problems`,
      );
      expect(problems).toEqual([]);
      expect(compared).toBeGreaterThan(cases * 0.7);
      expect(refusedInside).toBeGreaterThan(cases * 0.15);
    });

    it('a valid request is served after the attack, and the fingerprint of the data changes', async () => {
      const fingerprint = await createFingerprint(target.db, target.logTables);
      const before = await fingerprint();
      const [[head, body] = never()] = makeTemplates(target, [control], 'own');
      const whole = `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
      const { statuses } = await sendRaw(target.port, Buffer.from(whole));
      expect(statuses.every((status) => status < 300) && statuses.length).toBe(1);
      expect(listChanges(before, await fingerprint())).not.toEqual([]);
    });
  });
}
