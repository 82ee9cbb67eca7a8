// The API reference is complete and correct. Each failure of these tests names every gap.
import { listOperations } from '@counterfoil/kit/http/openapi/document';
import { formatDocument, readDocumentFile } from '@counterfoil/kit/testing/openapi/document-files';
import { findBreaks } from '@counterfoil/kit/testing/openapi/openapi-breaks';
import { findFalseExamples, playExamples } from '@counterfoil/kit/testing/openapi/play-examples';
import { findReferenceGaps, listAnsweredCodes } from '@counterfoil/kit/testing/openapi/reference-gaps';
import { readLastPromise } from '@counterfoil/kit/testing/openapi/release-promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deadlineOf } from '../../src/deadlines.ts';
import { reference } from '../../src/reference/reference.ts';
import { openExamplePackage } from '../environment/example-package.ts';

let customer: Awaited<ReturnType<typeof openExamplePackage>>;
let document: ReturnType<typeof JSON.parse>;
beforeAll(async () => {
  customer = await openExamplePackage();
  document = (await customer.given.app.inject('/openapi.json')).json();
});
afterAll(() => customer.close());

it('every operation, field and error has a description, and every operation has an example', () => {
  const gaps = findReferenceGaps(document, {
    reference,
    isForOthers: (name) => / \/(?:api|admin)\//.test(name),
    onlyCommands: ['person_not_found'],
  });
  expect(gaps).toEqual([]);
});

it('every example is a real call that gets the documented answer again', async () => {
  const { given, headersOf } = customer;
  const played = await playExamples(given.app, reference.examples, headersOf);
  expect(findFalseExamples(reference.examples, played, document)).toEqual([]);
});

it('every operation with a deadline lists the error for a missed deadline', () => {
  const timed = listOperations(document).flatMap(([name, { responses = {} }]) => {
    const [method = '', path = ''] = name.split(' ');
    const code = deadlineOf(method, path)?.code;
    const listed = Object.values(responses).flatMap(listAnsweredCodes);
    return code === undefined ? [] : [{ name, code, isListed: listed.includes(code) }];
  });
  expect(timed.filter(({ isListed }) => !isListed)).toEqual([]);
  for (const path of ['create', 'status', 'update_balance']) {
    const name = `POST /api/v1/user/${path}`;
    expect(timed).toContainEqual({ name, code: 'outcome_unknown', isListed: true });
  }
});

/**
 * The allowed differences from the document of version 0.1.0. The service still accepts all requests that it
 * accepted in version 0.1.0. The document now describes the credential headers and `Origin` in security
 * schemes. It also states the types of amounts, which the service has always required.
 */
const documentedDifferently = [
  /: the parameter header (?:x-uid|x-api-key|x-api-secret|origin) is gone$/,
  /: body\.(?:amount|alert_threshold|overdraft_limit) was anything, and is number or string$/,
  /: body\.(?:amount|bet_amount|win_amount) was anything, and is null or number or string$/,
];

it('the document has all that the last release documented, except for the allowed differences', () => {
  const breaks = findBreaks(readLastPromise('wallet'), document);
  const isDocumentedDifferently = (each: string) => documentedDifferently.some((form) => form.test(each));
  expect(breaks.filter((each) => !isDocumentedDifferently(each))).toEqual([]);
});

it('reference/openapi.json equals the served document (`npm run openapi` writes the file)', () => {
  expect(formatDocument(document) === readDocumentFile('wallet')).toBe(true);
});
