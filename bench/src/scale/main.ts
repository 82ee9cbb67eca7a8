// `npm run scale`: what 1, 10, 100 and 1,000 times a thousand movements a second ask for, by measured costs.
import { fileURLToPath } from 'node:url';
import { runMain } from '@counterfoil/kit/run-main';
import { readCosts } from './costs.ts';
import { renderScale } from './render-scale.ts';

runMain(async () => {
  const path = fileURLToPath(new URL('../../results/latest.json', import.meta.url));
  process.stdout.write(`${renderScale(await readCosts(path))}\n`);
});
