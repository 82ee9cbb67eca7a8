// What is deployed fits what is built: metrics of rules and dashboard, settings, workspaces of the image.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { licensingSettings } from './licensing/server/src/config.ts';
import { givenLicensing } from './licensing/server/test/given.ts';
import { walletSettings } from './wallet/server/src/config.ts';
import { givenWallet } from './wallet/server/test/given.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

const rules = read('deploy/monitoring/alerts.yaml');
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: { targets: { expr: string }[] }[];
};

/** Names of metrics in an expression: what stands before a selector, a range or a comparison. */
const words = /\b([a-z][a-z_]*_(?:total|seconds|bytes|count|bucket|sum))\b/g;
const namesIn = (text: string) => [...text.matchAll(words)].map(([, name = '']) => name);

async function namesServed(): Promise<Set<string>> {
  const services = [await givenWallet(), await givenLicensing()];
  const names = new Set<string>();
  for (const { app, close } of services) {
    await app.inject('/healthz');
    const { body } = await app.inject('/metrics');
    for (const [, name = ''] of body.matchAll(/^(?:# TYPE )?([a-z_]+)/gm)) names.add(name);
    await close();
  }
  return names;
}

it('every metric that a rule or the dashboard names is served', { timeout: 120_000 }, async () => {
  const shown = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));
  const named = new Set([...namesIn(rules), ...shown.flatMap(namesIn)]);
  const served = await namesServed();
  expect([...named].filter((name) => !served.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(8);
});

it('every alert is told in the handbook, and no other', () => {
  const names = (text: string) => [...new Set(text.match(/\bCounterfoil[A-Z]\w+/g))].sort();
  expect(names(read('docs/operations.md'))).toEqual(names(rules));
});

it('the image is made of every workspace, and compose.yaml sets only what a service reads', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const copied = [...read('Dockerfile').matchAll(/^COPY (\S+)\/package\.json /gm)];
  expect(copied.map(([, path]) => path).sort()).toEqual([...workspaces].sort());
  const known = [...Object.keys(walletSettings), ...Object.keys(licensingSettings), 'HEALTH_PORT'];
  const set = [...read('compose.yaml').matchAll(/^ {6}([A-Z][A-Z_]+?)(?:_FILE)?:/gm)];
  const own = set.map(([, name = '']) => name).filter((name) => !name.startsWith('POSTGRES_'));
  expect(own.filter((name) => !known.includes(name))).toEqual([]);
  expect(own).toContain('MASTER_KEY');
});
