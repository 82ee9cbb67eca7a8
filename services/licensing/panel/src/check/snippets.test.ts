// The code samples work with any purchase code, even if it contains quotes and shell commands.
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { writeSamples } from './snippets.ts';

const nasty = `it's "x" \\ $(touch /nowhere) \`id\``;
const given = { origin: 'http://127.0.0.1:4100', key: 'ck_live_x', code: nasty };
const sampleOf = (title: string) => writeSamples(given).find((sample) => sample.title === title)?.code ?? '';

it('in the curl sample, the shell passes the purchase code unchanged and executes no part of it', () => {
  const script = sampleOf('curl').replace(/^curl/, `printf '%s\\n'`);
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
  expect(words.at(-1)).toBe(`purchase_code=${nasty}`);
  expect(words).toContain('X-Api-Key: ck_live_x');
});

it('the JavaScript sample sends the purchase code unchanged', async () => {
  const calls: { body: string }[] = [];
  const fetch = async (_url: string, call: { body: string }) => {
    calls.push(call);
    return { json: async () => ({ status: 'error' }) };
  };
  const run = new Function('fetch', 'console', `return (async () => {${sampleOf('JavaScript')}})()`);
  await run(fetch, { log: () => {} });
  expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ purchase_code: nasty });
});

it('the PHP sample escapes quotes and backslashes of the purchase code', () => {
  expect(sampleOf('PHP')).toContain(`'it\\'s "x" \\\\ $(touch /nowhere)`);
});
