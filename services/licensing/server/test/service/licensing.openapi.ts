// `npm run openapi` runs this file. It repeats the example calls of licensing, and stores the document of a
// new release.
import { writeFileSync } from 'node:fs';
import type { Example } from '@counterfoil/kit/http/openapi/reference';
import { writeDocumentFile } from '@counterfoil/kit/testing/openapi/document-files';
import { hideSecrets, playExamples } from '@counterfoil/kit/testing/openapi/play-examples';
import { keepPromise } from '@counterfoil/kit/testing/openapi/release-promises';
import { it } from 'vitest';
import { reference } from '../../src/reference/reference.ts';
import { openExampleShop } from '../environment/example-shop.ts';

const file = new URL('../../reference/examples.json', import.meta.url);

it('the examples and the OpenAPI document are written, with a copy for a new release', async () => {
  const { given, headersOf } = await openExampleShop();
  const played = await playExamples(given.app, reference.examples, headersOf);
  const examples = hideSecrets(played);
  writeFileSync(file, `${JSON.stringify(examples, null, 1)}\n`);
  // The examples must be replaced before the first request, which creates the document.
  (reference.examples as Example[]).splice(0, reference.examples.length, ...examples);
  const document = (await given.app.inject('/openapi.json')).json();
  writeDocumentFile('licensing', document);
  process.stdout.write(`${keepPromise('licensing', document)}\n`);
  await given.close();
});
