// GET /openapi.json: the public API as it is documented is the public API as it validates.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenLicensing } from './given.ts';

interface Operation {
  readonly parameters?: { name: string; in: string; required?: boolean }[];
  readonly requestBody?: {
    content: Record<string, { schema: { required: string[]; properties: Record<string, object> } }>;
  };
  readonly responses: Record<string, object>;
  readonly security: Record<string, string[]>[];
}

let given: Given;
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  given = await givenLicensing();
  paths = (await given.app.inject({ url: '/openapi.json' })).json().paths;
});

afterAll(() => given.close());

it('names the four operations of the specification and the three places of the key', () => {
  const operations = [
    paths['/api/account/details']?.get,
    paths['/api/items/all']?.get,
    paths['/api/items/item']?.get,
    paths['/api/purchases/validation']?.post,
  ];
  for (const operation of operations) {
    expect(operation?.security).toEqual([
      { apiKeyHeader: [] },
      { bearer: [] },
      { apiKeyQuery: [] },
    ]);
    expect(operation?.responses['200']).toBeDefined();
  }
});

it('tells the parameters of the items beside the key', () => {
  const named = (path: string) =>
    paths[path]?.get?.parameters?.map((each) => [each.name, each.required ?? false]);
  expect(named('/api/items/all')).toEqual([
    ['page', false],
    ['per_page', false],
    ['category', false],
    ['updated_since', false],
  ]);
  expect(named('/api/items/item')).toEqual([['item_id', true]]);
});

it('tells the body of the validation in each of its encodings, by the schema that validates', () => {
  const content = paths['/api/purchases/validation']?.post?.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]);
  for (const { schema } of Object.values(content)) {
    expect(schema.required).toEqual(['purchase_code']);
    expect(schema.properties.purchase_code).toMatchObject({ minLength: 1, maxLength: 128 });
  }
});
