// The generated types are those of the service as it is, and no operation of it is forgotten.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenWallet } from '../../../wallet/server/test/given.ts';
import { type OpenApi, writeWireTypes } from '../../write-wire-types.ts';
import { leftOut, wanted } from '../operations.ts';

let given: Given;
let document: OpenApi;

beforeAll(async () => {
  given = await givenWallet();
  document = (await given.app.inject({ url: '/openapi.json' })).json();
});
afterAll(() => given.close());

it('the types are up to date; else: npm test -- sdk -u', async () => {
  await expect(writeWireTypes(document, wanted)).toMatchFileSnapshot('../src/wire.ts');
});

it('every operation that a package may call has a method', () => {
  const known = [...Object.keys(wanted.operations), ...leftOut].sort();
  const served = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(served.sort()).toEqual(known);
});
