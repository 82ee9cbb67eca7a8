// The snippets of docs/guide/webhooks.md verify our signatures in each installed language.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeWebhookSecret, signWebhook } from '../dispatcher/signature.ts';

const page = readFileSync(new URL('../../../../docs/guide/webhooks.md', import.meta.url), 'utf8');
const snippet = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

const [old, current, strange] = [makeWebhookSecret(), makeWebhookSecret(), makeWebhookSecret()];
const body = JSON.stringify({ type: 'purchase.issued', data: { name: 'Größe "1"' } });
const headers = signWebhook({ id: 'evt_1_1', body, secrets: [current, old] });
const late = { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 600) };
const calls = [
  { secret: current, headers, body },
  { secret: old, headers, body },
  { secret: strange, headers, body },
  { secret: current, headers, body: `${body} ` },
  { secret: current, headers: late, body },
];
const expected = [true, true, false, false, false];

/** Runs a snippet, which prints its verdicts as JSON. */
function run(command: string, args: string[]): boolean[] {
  const { stdout, stderr } = spawnSync(command, args, {
    input: JSON.stringify(calls),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as boolean[];
}

/** Whether the program is installed. With `CI` set, always true, so that a missing program fails the test. */
const has = (command: string) => Boolean(process.env.CI) || spawnSync(command, ['--version']).status === 0;

describe('the snippets of the webhook guide', () => {
  it('the JavaScript snippet accepts genuine webhooks, and refuses forged and old ones', async () => {
    const source = `data:text/javascript,${encodeURIComponent(snippet('js'))}`;
    const { verifyWebhook } = await import(/* @vite-ignore */ source);
    const verdicts = calls.map((call) => verifyWebhook(call.secret, call.headers, call.body));
    expect(verdicts).toEqual(expected);
  });

  it.skipIf(!has('php'))('the PHP snippet verifies signatures (needs php)', () => {
    const rest = `$out = [];
      foreach (json_decode(stream_get_contents(STDIN), true) as $c) {
        $out[] = verifyWebhook($c['secret'], $c['headers'], $c['body']);
      }
      echo json_encode($out);`;
    expect(run('php', ['-r', snippet('php').replace('<?php', '') + rest])).toEqual(expected);
  });

  it.skipIf(!has('python3'))('the Python snippet verifies signatures (needs python3)', () => {
    const rest = `
import json, sys
calls = json.load(sys.stdin)
print(json.dumps([verify_webhook(c["secret"], c["headers"], c["body"].encode()) for c in calls]))
`;
    expect(run('python3', ['-c', snippet('python') + rest])).toEqual(expected);
  });
});
