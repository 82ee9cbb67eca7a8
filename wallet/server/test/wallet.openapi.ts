// npm run openapi: makes the wallet's example calls anew, and keeps the promise of a new release.
import { writeFileSync } from 'node:fs';
import { hideSecrets, playExamples } from '@counterfoil/kit/testing/play-examples';
import { keepPromise } from '@counterfoil/kit/testing/release-promises';
import { it } from 'vitest';
import { reference } from '../src/reference/reference.ts';
import { openExamplePackage } from './example-package.ts';

const file = new URL('../reference/examples.json', import.meta.url);

it('the wallet: its examples are made anew, the promise of its version is kept', async () => {
  const { given, headersOf, close } = await openExamplePackage();
  const document = (await given.app.inject('/openapi.json')).json();
  const played = await playExamples(given.app, reference.examples, headersOf);
  writeFileSync(file, `${JSON.stringify(hideSecrets(played), null, 1)}\n`);
  process.stdout.write(`${keepPromise('wallet', document)}\n`);
  await close();
});
