// Tests the calculation and the simulation that give the figures in docs/operate/scale.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { latestResults, readCosts } from './costs.ts';
import { comfortable, findBottleneck, findCapacity, findUse, perDay, planLayout } from './demand.ts';
import { fillPage, renderScale, scalePage } from './render-scale.ts';
import { simulate } from './simulate.ts';

const machine = { coresPerPrimary: 16, diskMbPerSecond: 500, busiestShare: 0 };
const costs = await readCosts('/nowhere');

it('costs are read from the results file, and a cost that the file lacks has a default', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-scale-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'latest.json');
  await writeFile(
    path,
    JSON.stringify([{ id: 'hot.update_balance.wal', value: 612 }, { id: 'wallet.engine' }]),
  );
  expect(await readCosts(path)).toMatchObject({ walBytes: 612, measured: ['walBytes'] });
  await writeFile(path, '{"half": ');
  expect(await readCosts(path)).toEqual(costs);
  expect(costs.measured).toEqual([]);
});

it('the same seed gives the same simulated figures, and a different seed gives different figures', () => {
  const run = (seed: number) => simulate(costs, { rate: 3000, movements: 5000, seed });
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

it('no order is refused below the maximum rate; above it, batches are full and orders are refused', () => {
  const limit = 1e6 / (costs.serviceUs + costs.postgresUs + costs.flushUs / 1024);
  const below = simulate(costs, { rate: limit * 0.6, movements: 40_000, seed: 1 });
  expect(below.rate / (limit * 0.6)).toBeCloseTo(1, 1);
  expect(below.refused).toBe(0);
  const above = simulate(costs, { rate: limit * 2, movements: 60_000, seed: 1 });
  expect(above.rate).toBeLessThanOrEqual(limit * 1.01);
  expect(above.rate).toBeGreaterThan(limit * 0.95);
  expect(above.refused).toBeGreaterThan(0.2);
  expect(above.meanBatch).toBeGreaterThan(400);
});

it('the simulation has fewer commits per movement at a higher rate', () => {
  const commits = [200, 1000, 3000, 5000].map(
    (rate) => simulate(costs, { rate, movements: 20_000, seed: 3 }).commitsPerMovement,
  );
  expect(commits).toEqual([...commits].sort((a, b) => b - a));
});

it.each([1000, 10_000, 100_000, 1_000_000])(
  'service, PostgreSQL and WAL of the planned layout are not overloaded at %i movements per second',
  (rate) => {
    const layout = planLayout(rate, costs, machine);
    const use = findUse(rate, costs, layout);
    for (const part of ['service', 'postgres', 'log'] as const) {
      expect(use[part]).toBeLessThanOrEqual(comfortable);
    }
    const fewer = { ...layout, processes: Math.max(1, layout.processes - 1) };
    if (layout.processes > 1) expect(findUse(rate, costs, fewer).service).toBeGreaterThan(comfortable);
  },
);

it('at the calculated rate of 16 cores, service, PostgreSQL and packages are comfortably used', () => {
  const { rate, postgresCores, packages, walMbPerSecond } = findCapacity(16, costs, costs);
  expect((rate * costs.serviceUs) / 1e6 / 16).toBeCloseTo(comfortable);
  expect((rate * costs.postgresUs) / 1e6 / postgresCores).toBeLessThanOrEqual(comfortable);
  expect((rate * costs.postgresUs) / 1e6 / (postgresCores - 1)).toBeGreaterThan(comfortable);
  expect(rate / packages).toBeLessThanOrEqual(costs.engineRate * comfortable);
  expect(walMbPerSecond).toBeCloseTo((rate * costs.walBytes) / 1e6);
});

it('at a million movements per second, a package with a tenth of them is the bottleneck', () => {
  const shared = { ...machine, busiestShare: 0.1 };
  const use = findUse(1_000_000, costs, planLayout(1_000_000, costs, shared));
  expect(findBottleneck(use)).toBe('package');
});

it('a round needs the disk space of two journal rows and one row in the table of rounds', () => {
  const { transfersGb, roundsGb } = perDay(1000, costs);
  expect((roundsGb / transfersGb) * 283 * 2).toBeCloseTo(2 * 283 + 212);
});

it('scale.md shows the last measurements (update: `npm run scale -- --write`)', async () => {
  const page = await readFile(scalePage, 'utf8');
  expect(page).toBe(fillPage(page, renderScale(await readCosts(latestResults))));
});

it('every placeholder of a page is filled; a missing, unknown or repeated placeholder is refused', () => {
  const mark = (name: string) => `<!-- npm run scale -- --write: ${name} -->\nold\n<!-- end -->\n`;
  expect(fillPage(`a\n${mark('x')}b`, { x: 'new' })).toBe(`a\n${mark('x').replace('old', 'new')}b`);
  expect(() => fillPage(mark('x'), { x: '1', y: '2' })).toThrow('no mark for y');
  expect(() => fillPage(mark('x') + mark('x'), { x: '1' })).toThrow('repeated mark x');
  expect(() => fillPage(mark('z'), {})).toThrow('unknown or repeated mark z');
});

it('the table lists the four loads from 1,000 to 1,000,000 movements per second', () => {
  const { loads } = renderScale(costs);
  for (const rate of ['1,000', '10,000', '100,000', '1,000,000']) expect(loads).toContain(`| ${rate} |`);
});
