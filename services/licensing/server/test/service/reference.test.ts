// The API reference is complete and true: these tests name every gap and error.
import { formatDocument, readDocumentFile } from '@counterfoil/kit/testing/openapi/document-files';
import { findBreaks } from '@counterfoil/kit/testing/openapi/openapi-breaks';
import { findFalseExamples, playExamples } from '@counterfoil/kit/testing/openapi/play-examples';
import { findReferenceGaps } from '@counterfoil/kit/testing/openapi/reference-gaps';
import { readLastPromise } from '@counterfoil/kit/testing/openapi/release-promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reference } from '../../src/reference/reference.ts';
import { openExampleShop } from '../environment/example-shop.ts';

let shop: Awaited<ReturnType<typeof openExampleShop>>;
let document: ReturnType<typeof JSON.parse>;
beforeAll(async () => {
  shop = await openExampleShop();
  document = (await shop.given.app.inject('/openapi.json')).json();
});
afterAll(() => shop.given.close());

it('every operation, field and error has a description, and every call has an example', () => {
  const gaps = findReferenceGaps(document, {
    reference,
    isForOthers: (name) => / \/(?:api|admin)\//.test(name),
    onlyCommands: ['person_not_found'],
  });
  expect(gaps).toEqual([]);
});

it('every example is a real call, and repeating the call gives the documented answer', async () => {
  const { given, headersOf } = shop;
  const played = await playExamples(given.app, reference.examples, headersOf);
  expect(findFalseExamples(reference.examples, played, document)).toEqual([]);
});

it('the document still has everything that the last release documented', () => {
  expect(findBreaks(readLastPromise('licensing'), document)).toEqual([]);
});

it('the file reference/openapi.json equals the served document (npm run openapi writes the file)', () => {
  expect(formatDocument(document) === readDocumentFile('licensing')).toBe(true);
});
