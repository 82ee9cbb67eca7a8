// `npm run scale`: prints which machines 1,000 to 1,000,000 movements per second need, from measured costs.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runMain } from '@counterfoil/kit/process/run-main';
import { latestResults, readCosts } from './costs.ts';
import { fillPage, renderScale, scalePage } from './render-scale.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

runMain(async () => {
  const sections = renderScale(await readCosts(latestResults));
  if (values.write) {
    await writeFile(scalePage, fillPage(await readFile(scalePage, 'utf8'), sections));
    process.stdout.write('Wrote the figures of lab/bench/results/latest.json to docs/operate/scale.md.\n');
  } else process.stdout.write(`${Object.values(sections).join('\n\n')}\n`);
});
