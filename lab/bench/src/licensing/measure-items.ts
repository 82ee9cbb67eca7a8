// Measures the list of 5,000 items: the first call after a change, and the second call, which is cached.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@counterfoil/kit/postgres/db';
import { announceItemsChange } from '@counterfoil/licensing-server/workspaces/workspace-changes';
import type { ChildServer } from '../child-server.ts';
import { type BenchOptions, type Measurement, median, ratio } from '../measurement.ts';
import type { Dataset } from './dataset.ts';

/** Measures the time from the request to the last byte of the list. The bytes are counted and discarded. */
function fetchList(url: string, apiKey: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const request = get(url, { headers: { 'x-api-key': apiKey } }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200 && bytes > 1_000_000) resolve(performance.now() - started);
        else reject(new Error('the list of items was refused or too short'));
      });
    });
    request.on('error', reject);
  });
}

export async function measureItems(given: {
  databaseUrl: string;
  server: ChildServer;
  dataset: Dataset;
  options: BenchOptions;
}): Promise<Measurement[]> {
  const rounds = given.options.quick ? 5 : 15;
  given.options.say(`Listing 5,000 items after a change, ${rounds} times …`);
  const call = () => fetchList(`${given.server.url}/api/items/all`, given.dataset.apiKey);
  const db = openDb({ url: given.databaseUrl, applicationName: 'bench items' });
  const first: number[] = [];
  const second: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await announceItemsChange(db, given.dataset.workspaceId);
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
      title: 'Second list ÷ first list',
      value: ratio(second, first),
      unit: '',
      bar: { atMost: 0.1 },
    },
  ];
}
