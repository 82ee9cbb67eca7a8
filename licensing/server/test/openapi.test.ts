// GET /openapi.json: the public API as it is documented is the public API as it validates.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenLicensing } from './given.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: { name: string; in: string; required?: boolean }[];
  readonly requestBody?: {
    required: boolean;
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

it('gives every operation a name of its own', () => {
  const ids = Object.values(paths).flatMap((each) =>
    Object.values(each).map((operation) => operation.operationId),
  );
  expect(ids).toContain('put_api_v1_items_by_item_id_versions_by_version_file');
  for (const id of ids) expect(id).toMatch(/^[a-z0-9_]+$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it('tells the truth about files and links', () => {
  const upload = paths['/api/v1/items/{item_id}/versions/{version}/file']?.put;
  expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual(['application/octet-stream']);
  const download = paths['/downloads/{token}']?.get;
  expect(Object.keys(download?.responses ?? {})).toEqual([
    '200',
    '206',
    '304',
    '400',
    '404',
    '416',
    '500',
    '503',
    'default',
  ]);
  const link = paths['/api/v1/purchases/{purchase_id}/download-links']?.post;
  expect(link?.requestBody?.required).toBe(false);
});

it('tells how long a key and its name may be', () => {
  const keys = '/panel/workspaces/{workspace_id}/api-keys/import';
  const { schema } = paths[keys]?.post?.requestBody?.content['application/json'] ?? {};
  expect(schema?.properties.name).toMatchObject({ minLength: 1, maxLength: 100 });
  expect(schema?.properties.api_key).toMatchObject({ minLength: 16, maxLength: 128 });
});
