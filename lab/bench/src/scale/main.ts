// `npm run scale`: the demand of 1, 10, 100 and 1,000 thousand movements a second by measured costs.
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
    process.stdout.write(
      'The figures of docs/operate/scale.md are those of lab/bench/results/latest.json.\n',
    );
  } else process.stdout.write(`${Object.values(sections).join('\n\n')}\n`);
});
