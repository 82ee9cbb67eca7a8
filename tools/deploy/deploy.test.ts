// The deployment files match the product: metrics, alerts, settings, npm workspaces, errors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '@counterfoil/kit/http/errors';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { licensingSettings } from '@counterfoil/licensing-server/config';
import { errors as licensingErrors } from '@counterfoil/licensing-server/errors';
import { buildWalletApp } from '@counterfoil/wallet-server/app';
import { walletSettings } from '@counterfoil/wallet-server/config';
import { errors as walletErrors } from '@counterfoil/wallet-server/errors';
import { expect, it } from 'vitest';
import { givenLicensing } from '../../services/licensing/server/test/environment/given.ts';
import { givenWallet } from '../../services/wallet/server/test/environment/given.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const rules = read('deploy/monitoring/alerts.yaml');
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: { targets: { expr: string }[] }[];
};

/** Finds metric names in an expression by their suffix, such as `_total`. */
const metricNames = /\b([a-z][a-z_]*_(?:total|seconds|bytes|count|bucket|sum))\b/g;
const namesIn = (text: string) => [...text.matchAll(metricNames)].map(([, name = '']) => name);

/**
 * Reads the names of the metrics of both services. Some metrics exist only with a standby or with webhooks,
 * so the wallet is started with both.
 */
async function readMetricNames(): Promise<Set<string>> {
  const nowhere = 'postgres://127.0.0.1:1/nowhere';
  const wallet = await givenWallet({ WALLET_REPLICA_URL: nowhere });
  const logger = createLogger({ service: 'wallet', level: 'silent' });
  const readiness = { draining: false };
  const sending = await buildWalletApp({
    ...wallet,
    logger,
    migrations: [],
    readiness,
    sendsWebhooks: true,
    now: () => wallet.clock.now,
  });
  const licensing = await givenLicensing();
  const names = new Set<string>();
  for (const app of [sending, licensing.app]) {
    await app.inject('/healthz');
    const { body } = await app.inject('/metrics');
    for (const [, name = ''] of body.matchAll(/^(?:# TYPE )?([a-z_]+)/gm)) names.add(name);
  }
  await sending.close();
  for (const { close } of [wallet, licensing]) await close();
  return names;
}

/** The services' own counters. The dashboard need not show the counters of the process and of Node. */
const isOwnCounter = (name: string) => /_total$/.test(name) && !/^(?:process|nodejs)_/.test(name);

it('alert rules and dashboard use all counters of the services, and no unknown metric', async () => {
  const shown = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));
  const named = new Set([...namesIn(rules), ...shown.flatMap(namesIn)]);
  const served = await readMetricNames();
  expect([...named].filter((name) => !served.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(8);
  expect([...served].filter((name) => isOwnCounter(name) && !named.has(name))).toEqual([]);
});

it('operations.md documents every alert of the alert rules, and no other alert', () => {
  const names = (text: string) => [...new Set(text.match(/\bCounterfoil[A-Z]\w+/g))].sort();
  expect(names(read('docs/operate/operations.md'))).toEqual(names(rules));
});

it('the Dockerfile copies every npm workspace, and compose.yaml sets only known settings', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const copied = [...read('Dockerfile').matchAll(/^COPY (\S+)\/package\.json /gm)];
  expect(copied.map(([, path]) => path).sort()).toEqual([...workspaces].sort());
  const known = [...Object.keys(walletSettings), ...Object.keys(licensingSettings), 'HEALTH_PORT'];
  const set = [...read('compose.yaml').matchAll(/^ {6}([A-Z][A-Z_]+?)(?:_FILE)?:/gm)];
  const own = set.map(([, name = '']) => name).filter((name) => !name.startsWith('POSTGRES_'));
  expect(own.filter((name) => !known.includes(name))).toEqual([]);
  expect(own).toContain('MASTER_KEY');
});

it.each([
  ['wallet', walletErrors.table],
  ['licensing', licensingErrors.table],
])("HAProxy's own errors for %s have the service's error format and codes", (name, table) => {
  const [, section = ''] = read('deploy/ha/haproxy.cfg').split(`listen ${name}\n`);
  const [own = ''] = section.split('\nlisten ');
  const answers = [...own.matchAll(/^ {4}http-error status (\d+) (.*) lf-string '(.*)'$/gm)];
  expect(answers.map(([, status]) => status)).toEqual(['502', '503', '504']);
  for (const [, status, headers, text = ''] of answers) {
    const body = JSON.parse(text);
    // After a 502 or 504, HAProxy does not know whether the process applied the call.
    const code = status !== '503' && 'outcome_unknown' in table ? 'outcome_unknown' : 'unavailable';
    const expected = new ServiceError(code, { ...table.unavailable, msg: body.msg });
    expect(body).toEqual(expected.toBody('%ID'));
    expect(headers).toBe('content-type application/json hdr Retry-After 1 hdr X-Request-Id %ID');
  }
});

it('PostgreSQL lets the superuser and replication connect from every node of the cluster', () => {
  const lines = read('deploy/ha/patroni.yml')
    .split('\n')
    .map((line) => line.trim());
  expect(lines).toContain('- host all postgres {{NODES_RANGE}} scram-sha-256');
  expect(lines).toContain('- host replication replicator {{NODES_RANGE}} scram-sha-256');
});

it('HAProxy sends the reads of one machine to one standby, whose lag must be below 16 MB', () => {
  const [, standbys = ''] = read('deploy/ha/haproxy.cfg').split('\nlisten standbys\n');
  const lines = (standbys.split('\n\n')[0] ?? '').split('\n').map((line) => line.trim());
  expect(lines).toContain('balance source');
  expect(lines).toContain('option httpchk OPTIONS /replica?lag=16MB');
});

it('HAProxy sends all calls of a package or of a provider connection to one process', () => {
  const [, wallet = ''] = read('deploy/ha/haproxy.cfg').split('\nlisten wallet\n');
  const lines = (wallet.split('\n\n')[0] ?? '').split('\n').map((line) => line.trim());
  expect(lines).toContain('http-request set-var(txn.owner) req.hdr(x-uid)');
  expect(lines).toContain('http-request set-var(txn.owner) path,field(3,/) if { path_beg /providers/ }');
  expect(lines).toContain('balance hash var(txn.owner)');
  expect(lines).toContain('hash-type consistent');
});
