// GET /openapi.json: the documentation of the public API matches its validation.
import { readFileSync } from 'node:fs';
import { findDocumentFaults, listPatterns } from '@counterfoil/kit/testing/openapi/document-faults';
import { engines } from '@counterfoil/kit/testing/openapi/match-patterns';
import { beforeAll, expect, it } from 'vitest';
import { eventTypes } from '../../src/webhooks/events.ts';
import { setUpLicensing } from '../environment/given.ts';

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

const given = setUpLicensing();
let document: ReturnType<typeof JSON.parse>;
let paths: Record<string, Record<string, Operation>>;

beforeAll(async () => {
  document = (await given.app.inject({ url: '/openapi.json' })).json();
  paths = document.paths;
});

it('the document has no pattern, type, enum, example or header that a tool would misread', () => {
  expect(findDocumentFaults(document)).toEqual([]);
});

it.for(engines)(
  'the regular expression engine of $name compiles every pattern of the document',
  ({ isThere, match }, { skip }) => {
    if (!isThere) skip();
    const found = match(listPatterns(document).map((pattern) => [pattern, 'x'] as const));
    expect(found.filter((each) => typeof each !== 'boolean')).toEqual([]);
  },
);

it('the document names the release, its licence and a contact', () => {
  const file = new URL('../../../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  const { info, servers } = document;
  expect(info).toMatchObject({ version, license: { identifier: 'MIT' } });
  expect(info.contact.url).toBe(servers[0].url);
});

it('the document names each schema that becomes a type in generated clients', () => {
  const names = Object.keys(document.components.schemas);
  const wanted = ['Account', 'Activation', 'Error', 'Item', 'ManagedItem', 'Purchase'];
  expect(names).toEqual(expect.arrayContaining(wanted));
  const content = document.paths['/api/items/item'].get.responses['200'].content;
  expect(content['application/json'].schema.properties.item.$ref).toBe('#/components/schemas/Item');
  expect(JSON.stringify(document)).not.toContain('x-schema-name');
});

it('the document describes every webhook', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventTypes));
  const { requestBody } = document.webhooks['purchase.refunded'].post;
  expect(requestBody.content['application/json'].schema.properties.data.$ref).toBe(
    '#/components/schemas/PurchaseChange',
  );
});

it('the document states that ids are integers, and which fields exclude each other', () => {
  const schemaOf = (path: string, name: string) =>
    document.paths[path].get.parameters.find((each: { name: string }) => each.name === name).schema;
  expect(schemaOf('/api/items/item', 'item_id')).toMatchObject({ type: 'integer', minimum: 1 });
  expect(schemaOf('/api/v1/items/{item_id}', 'item_id')).toMatchObject({ type: 'integer' });
  const rules = (path: string) => {
    const { oneOf, anyOf } = document.paths[path].post.requestBody.content['application/json'].schema;
    return oneOf ?? anyOf;
  };
  const place = [{ required: ['domain'] }, { required: ['machine_id'] }];
  expect(rules('/api/v1/activations')).toEqual(place);
  expect(rules('/api/v1/activations/release')).toEqual([{ required: ['activation_id'] }, { oneOf: place }]);
  const buyer = [{ required: ['email'] }, { required: ['purchase_id'] }];
  expect(rules('/api/v1/buyers/erase')).toEqual(buyer);
  const replay = '/panel/workspaces/{workspace_id}/webhooks/{webhook_id}/replay';
  expect(rules(replay)).toEqual([{ required: ['event_id'] }, { required: ['since'] }]);
});

it('the document has the four specified operations, each with three ways to send the key', () => {
  const operations = [
    paths['/api/account/details']?.get,
    paths['/api/items/all']?.get,
    paths['/api/items/item']?.get,
    paths['/api/purchases/validation']?.post,
  ];
  for (const operation of operations) {
    expect(operation?.security).toEqual([{ apiKeyHeader: [] }, { bearer: [] }, { apiKeyQuery: [] }]);
    expect(operation?.responses['200']).toBeDefined();
  }
});

it('the document describes the parameters of the two operations for items', () => {
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

it('the body of a validation has the same schema in all three encodings of the document', () => {
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

it('every operation of the document has a unique id', () => {
  const ids = Object.values(paths).flatMap((each) =>
    Object.values(each).map((operation) => operation.operationId),
  );
  expect(ids).toContain('put_api_v1_items_by_item_id_versions_by_version_file');
  for (const id of ids) expect(id).toMatch(/^[a-z0-9_]+$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the document describes uploads, downloads and download links', () => {
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

it('the document states the length limits of a key and its name', () => {
  const keys = '/panel/workspaces/{workspace_id}/api-keys/import';
  const { schema } = paths[keys]?.post?.requestBody?.content['application/json'] ?? {};
  expect(schema?.properties.name).toMatchObject({ minLength: 1, maxLength: 100 });
  expect(schema?.properties.api_key).toMatchObject({ minLength: 16, maxLength: 128 });
});

it('the document names no file of the repository, because its readers cannot open files', async () => {
  const { body } = await given.app.inject({ url: '/openapi.json' });
  expect(body.match(/[\w-]+\/[\w/-]+\.md\b/g)).toBeNull();
});
