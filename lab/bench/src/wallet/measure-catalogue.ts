// Measures game/list with 5,000 games, compared with a minimal server that sends the same bytes.
import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../child-server.ts';
import { interleave } from '../interleave.ts';
import { putLoad } from '../load.ts';
import { type BenchOptions, type Measurement, median, ratio } from '../measurement.ts';
import type { Dataset } from './dataset.ts';
import { startWallet } from './servers.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const connections = 16;
const path = '/api/v1/game/list';

export async function measureCatalogue(dataset: Dataset, options: BenchOptions): Promise<Measurement[]> {
  const started: ChildServer[] = [];
  const start = async (server: Promise<ChildServer>) => {
    started.push(await server);
    return await server;
  };
  try {
    const program = here('catalogue-upstream.js');
    const { url } = await start(startChildServer({ program, portName: 'PORT' }));
    const PROVIDER_PRIVATE_URL = `${url}/private`;
    const PROVIDER_PUBLIC_URL = `${url}/public`;
    const upstream = { PROVIDER_PRIVATE_URL, PROVIDER_PUBLIC_URL, PROVIDER_API_TOKEN: 'bench' };
    const wallet = await start(startWallet(dataset, upstream));
    const BYTES = String(await measureAnswer(wallet, dataset));
    options.say(`Listing 5,000 games, ${BYTES} bytes, ${connections} connections …`);
    const bytes = await start(
      startChildServer({ program: here('../bytes-server.js'), portName: 'PORT', env: { BYTES } }),
    );
    return await compare({ wallet, bytes }, dataset, options);
  } finally {
    for (const server of started) await server.stop();
  }
}

async function measureAnswer(wallet: ChildServer, { headers }: Dataset): Promise<number> {
  const answer = await fetch(wallet.url + path, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`game/list answered ${answer.status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { games: unknown[] } };
  if (data.games.length !== 5000) throw new Error('the catalogue is not complete');
  return Buffer.byteLength(text);
}

async function compare(
  servers: Record<'wallet' | 'bytes', ChildServer>,
  dataset: Dataset,
  options: BenchOptions,
): Promise<Measurement[]> {
  const requests = [{ method: 'GET', path, headers: dataset.headers }] as const;
  const run = async ({ url }: ChildServer, seconds: number) =>
    (await putLoad({ url, requests, connections, seconds })).perSecond;
  for (const server of Object.values(servers)) await run(server, 2);
  const figures = await interleave({
    bench: options,
    contenders: {
      bytes: () => run(servers.bytes, options.seconds),
      wallet: () => run(servers.wallet, options.seconds),
    },
    describe: (perSecond) => `${Math.round(perSecond)}/s`,
  });
  const [listed, bare] = [figures.wallet, figures.bytes];
  return [
    {
      id: 'wallet.game_list.bytes',
      title: 'Bare node:http, the bytes of 5,000 games',
      value: median(bare),
      unit: '/s',
    },
    {
      id: 'wallet.game_list',
      title: 'game/list, 5,000 games',
      value: median(listed),
      unit: '/s',
    },
    {
      id: 'wallet.game_list.of-bytes',
      title: 'game/list ÷ bare node:http with the same bytes',
      value: ratio(listed, bare),
      unit: '',
      bar: { atLeast: 0.5 },
    },
  ];
}
