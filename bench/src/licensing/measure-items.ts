// Measures the list of 5,000 items: the first call after a change, and the one behind it.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@counterfoil/kit/db';
import { announceItemsChange } from '@counterfoil/licensing-server/items/announce-items-change';
import type { ChildServer } from '../child-server.ts';
import { type BenchOptions, type Measurement, median, ratio } from '../measurement.ts';
import type { Stock } from './stock.ts';

const rounds = 15;

export async function measureItems(given: {
  databaseUrl: string;
  server: ChildServer;
  stock: Stock;
  options: BenchOptions;
}): Promise<Measurement[]> {
  given.options.say(`Listing 5,000 items, ${rounds} times anew …`);
  const call = async () => {
    const started = performance.now();
    const headers = { 'x-api-key': given.stock.apiKey };
    const answer = await fetch(`${given.server.url}/api/items/all`, { headers });
    const { length } = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200 || length < 1_000_000) throw new Error('the list was not given');
    return performance.now() - started;
  };
  const db = openDb({ url: given.databaseUrl, applicationName: 'bench items' });
  const first: number[] = [];
  const second: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await announceItemsChange(db, given.stock.workspaceId);
      await sleep(50);
      first.push(await call());
      second.push(await call());
    }
  } finally {
    await db.end();
  }
  return [
    {
      id: 'licensing.items.first',
      title: 'First list of 5,000 items',
      value: median(first),
      unit: 'ms',
    },
    {
      id: 'licensing.items.second-of-first',
      title: 'Second list ÷ first',
      value: ratio(second, first),
      unit: '',
      bar: { atMost: 0.1 },
    },
  ];
}
