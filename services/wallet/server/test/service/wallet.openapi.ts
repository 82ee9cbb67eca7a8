// `npm run openapi` repeats the example calls and writes the examples and the document to files.
import { writeFileSync } from 'node:fs';
import type { Example } from '@counterfoil/kit/http/openapi/reference';
import { writeDocumentFile } from '@counterfoil/kit/testing/openapi/document-files';
import { hideSecrets, playExamples } from '@counterfoil/kit/testing/openapi/play-examples';
import { keepPromise } from '@counterfoil/kit/testing/openapi/release-promises';
import { it } from 'vitest';
import { reference } from '../../src/reference/reference.ts';
import { openExamplePackage } from '../environment/example-package.ts';

const file = new URL('../../reference/examples.json', import.meta.url);

it('the examples and the OpenAPI document of the wallet are written', async () => {
  const { given, headersOf, close } = await openExamplePackage();
  const played = await playExamples(given.app, reference.examples, headersOf);
  const examples = hideSecrets(played);
  writeFileSync(file, `${JSON.stringify(examples, null, 1)}\n`);
  // The service builds the document at the first request, so the new examples must be set before that.
  (reference.examples as Example[]).splice(0, reference.examples.length, ...examples);
  const document = (await given.app.inject('/openapi.json')).json();
  writeDocumentFile('wallet', document);
  process.stdout.write(`${keepPromise('wallet', document)}\n`);
  await close();
});
