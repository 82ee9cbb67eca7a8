// npm run openapi: makes licensing's example calls anew, and keeps the promise of a new release.
import { writeFileSync } from 'node:fs';
import { hideSecrets, playExamples } from '@counterfoil/kit/testing/play-examples';
import { keepPromise } from '@counterfoil/kit/testing/release-promises';
import { it } from 'vitest';
import { reference } from '../src/reference/reference.ts';
import { openExampleShop } from './example-shop.ts';

const file = new URL('../reference/examples.json', import.meta.url);

it('licensing: its examples are made anew, the promise of its version is kept', async () => {
  const { given, headersOf } = await openExampleShop();
  const document = (await given.app.inject('/openapi.json')).json();
  const played = await playExamples(given.app, reference.examples, headersOf);
  writeFileSync(file, `${JSON.stringify(hideSecrets(played), null, 1)}\n`);
  process.stdout.write(`${keepPromise('licensing', document)}\n`);
  await given.close();
});
