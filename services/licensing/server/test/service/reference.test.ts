// The reference of licensing is whole and true: what it leaves unsaid or says wrongly is named here.
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

it('every operation, field and error has its sentence, and every call its example', () => {
  const gaps = findReferenceGaps(document, {
    reference,
    isForOthers: (name) => / \/(?:api|admin)\//.test(name),
    onlyCommands: ['person_not_found'],
  });
  expect(gaps).toEqual([]);
});

it('every example is a real call: sent again, it is answered as it says', async () => {
  const { given, headersOf } = shop;
  const played = await playExamples(given.app, reference.examples, headersOf);
  expect(findFalseExamples(reference.examples, played, document)).toEqual([]);
});

it('takes nothing from what the last release promised', () => {
  expect(findBreaks(readLastPromise('licensing'), document)).toEqual([]);
});

it('reference/openapi.json is what the service serves; else: npm run openapi', () => {
  expect(formatDocument(document) === readDocumentFile('licensing')).toBe(true);
});
