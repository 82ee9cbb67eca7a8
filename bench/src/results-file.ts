// The last figure of every measurement, kept in a file beside the machine it came from.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform } from 'node:os';
import { dirname } from 'node:path';
import { holds, type Measurement } from './measurement.ts';

const round = (value: number) => Number(value.toPrecision(4));

type Entry = { readonly id: string } & Record<string, unknown>;

/** Measurements of other runs stay; those measured now take the place of their last. */
export async function mergeResults(path: string, measured: readonly Measurement[]): Promise<void> {
  const machine = `${platform()} ${arch()}, ${cpus().length} cores, Node ${process.versions.node}`;
  const entries = new Map<string, Entry>(
    (await readEntries(path)).map((entry) => [entry.id, entry]),
  );
  for (const measurement of measured) {
    const { id, title, value, unit, bar, aim } = measurement;
    entries.set(id, {
      id,
      title,
      value: round(value),
      unit,
      bar: bar ? ('atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`) : null,
      aim: aim ?? null,
      holds: holds(measurement) ?? null,
      machine,
      load: round(loadavg()[0] ?? 0),
      date: new Date().toISOString(),
    });
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify([...entries.values()], null, 2)}\n`);
}

async function readEntries(path: string): Promise<Entry[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Entry[];
  } catch {
    return [];
  }
}
