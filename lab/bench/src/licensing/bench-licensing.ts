// Measures licensing: the item list, and validation compared with a service that runs one query per request.
import { fileURLToPath } from 'node:url';
import type { ChildServer } from '../child-server.ts';
import { interleave } from '../interleave.ts';
import { describeLoader, type LoadResult, putLoad } from '../load.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import { type BenchOptions, type Measurement, median, ratio, warmUpSeconds } from '../measurement.ts';
import { type Dataset, openDataset } from './dataset.ts';
import { measureItems } from './measure-items.ts';
import { startLicensing, validateCodes } from './servers.ts';

const connections = 64;

export async function benchLicensing(options: BenchOptions): Promise<Measurement[]> {
  // These buffers are large enough to keep the purchases and their index in memory.
  return withPostgres(options, { shared_buffers: '512MB' }, async (postgres) => {
    const database = options.quick ? 'bench_licensing_quick' : 'bench_licensing';
    await postgres.ensureDatabase(database);
    const url = postgres.url(database);
    const purchaseCount = options.quick ? 20_000 : 1_000_000;
    const dataset = await openDataset(url, { purchaseCount, say: options.say });
    return await withServers(url, async (servers) => [
      ...(await measureValidation(servers, dataset, options)),
      ...(await measureItems({ databaseUrl: url, server: servers.ours, dataset, options })),
    ]);
  });
}

type Name = 'ours' | 'unlogged' | 'oneQuery' | 'noMemory';
type Servers = Record<Name, ChildServer>;

async function withServers<T>(databaseUrl: string, work: (servers: Servers) => Promise<T>): Promise<T> {
  const start = (more: Record<string, string> = {}, program?: string) =>
    startLicensing(databaseUrl, more, program);
  const oneQuery = fileURLToPath(new URL('one-query-server.js', import.meta.url));
  const started: Partial<Servers> = {};
  try {
    started.ours = await start();
    started.unlogged = await start({ REQUEST_LOG_DAYS: '0' });
    started.oneQuery = await start({ LOOK_UPS: 'cached' }, oneQuery);
    started.noMemory = await start({}, oneQuery);
    return await work(started as Servers);
  } finally {
    for (const server of Object.values(started)) await server.stop();
  }
}

async function measureValidation(
  servers: Servers,
  dataset: Dataset,
  options: BenchOptions,
): Promise<Measurement[]> {
  const requests = validateCodes(dataset);
  const { rounds, seconds, say } = options;
  const run = (name: Name, forSeconds: number) =>
    putLoad({ url: servers[name].url, requests, connections, seconds: forSeconds });
  say(`Warming up, then ${rounds} rounds of ${seconds} s each with ${describeLoader()} …`);
  for (const name of Object.keys(servers) as Name[]) await run(name, warmUpSeconds(options));
  const figures = await interleave<Name, LoadResult>({
    bench: options,
    contenders: {
      ours: () => run('ours', seconds),
      unlogged: () => run('unlogged', seconds),
      oneQuery: () => run('oneQuery', seconds),
      noMemory: () => run('noMemory', seconds),
    },
    describe: ({ perSecond }) => `${Math.round(perSecond)}/s`,
  });
  const rates = Object.fromEntries(
    Object.entries(figures).map(([name, each]) => [name, each.map((load) => load.perSecond)]),
  ) as Record<Name, number[]>;
  return presentValidation(rates, median(figures.ours.map((load) => load.p99Ms)));
}

const presentValidation = (figures: Record<Name, number[]>, p99Ms: number): Measurement[] => [
  {
    id: 'licensing.validation',
    title: 'Validation, 64 connections',
    value: median(figures.ours),
    unit: '/s',
  },
  {
    id: 'licensing.validation.p99',
    title: 'p99 latency of validation',
    value: p99Ms,
    unit: 'ms',
  },
  {
    id: 'licensing.validation.unlogged',
    title: 'Validation without the request log ÷ validation',
    value: ratio(figures.unlogged, figures.ours),
    unit: '',
  },
  {
    id: 'licensing.validation.of-one-query',
    title: 'Validation ÷ one query per request',
    value: ratio(figures.ours, figures.noMemory),
    unit: '',
    bar: { atLeast: 4 },
    aim: 6,
  },
  {
    id: 'licensing.validation.of-one-query-cached-keys',
    title: 'Validation ÷ one query per request with cached keys',
    value: ratio(figures.ours, figures.oneQuery),
    unit: '',
  },
];
