// GET /openapi.json: tools can read the document, and every operation has a unique name.
import { readFileSync } from 'node:fs';
import { inlineSchemas } from '@counterfoil/kit/http/openapi/name-schemas';
import { findDocumentFaults, listPatterns } from '@counterfoil/kit/testing/openapi/document-faults';
import { engines } from '@counterfoil/kit/testing/openapi/match-patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventTypes } from '../../src/webhooks/event-schemas.ts';
import { type Given, givenWallet } from '../environment/given.ts';

let given: Given;
let document: ReturnType<typeof JSON.parse>;
beforeAll(async () => {
  given = await givenWallet();
  document = (await given.app.inject({ url: '/openapi.json' })).json();
});
afterAll(() => given.close());

it('the document has no pattern, type, enum, example or header that a tool would misread', () => {
  expect(findDocumentFaults(document)).toEqual([]);
});

it.for(engines)(
  'the regular expression engine of $name compiles every pattern in the document',
  ({ isThere, match }, { skip }) => {
    if (!isThere) skip();
    const found = match(listPatterns(document).map((pattern) => [pattern, 'x'] as const));
    expect(found.filter((each) => typeof each !== 'boolean')).toEqual([]);
  },
);

it('the document contains the version, the licence and a contact', () => {
  const file = new URL('../../../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  const { info, servers } = document;
  expect(info).toMatchObject({ version, license: { identifier: 'MIT' } });
  expect(info.contact.url).toBe(servers[0].url);
});

it('the document has named schemas, so that generated clients have named types', () => {
  const names = Object.keys(document.components.schemas);
  const wanted = ['CreditAlert', 'Error', 'Game', 'KeyPair', 'Movement', 'Package', 'Player'];
  expect(names).toEqual(expect.arrayContaining([...wanted, 'Round', 'Transaction']));
  const list = document.paths['/api/v1/user/list'].get.responses['200'].content['application/json'];
  expect(list.schema.properties.data.properties.players.items).toEqual({
    $ref: '#/components/schemas/Player',
  });
  expect(JSON.stringify(document)).not.toContain('x-schema-name');
});

it('the document describes every webhook', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventTypes));
  const { parameters, requestBody } = document.webhooks['balance.changed'].post;
  expect(parameters.map((each: { name: string }) => each.name)).toContain('webhook-signature');
  expect(requestBody.content['application/json'].schema.properties.data.$ref).toBe(
    '#/components/schemas/BalanceChange',
  );
});

it('the document describes the types of amounts and the limits of a page size', () => {
  const { paths } = inlineSchemas(document) as typeof document;
  const body = (path: string, method = 'post') =>
    paths[path][method].requestBody.content['application/json'].schema.properties;
  const types = ({ anyOf }: { anyOf: { type: string }[] }) => anyOf.map((each) => each.type);
  expect(types(body('/api/v1/user/update_balance').amount)).toEqual(['number', 'string']);
  for (const field of ['amount', 'bet_amount', 'win_amount']) {
    expect(types(body('/api/v1/game/callback')[field])).toEqual(['number', 'string', 'null']);
  }
  for (const field of ['overdraft_limit', 'alert_threshold']) {
    expect(types(body('/admin/v1/packages')[field])).toEqual(['number', 'string']);
  }
  expect(body('/api/v1/user/update_balance').type.enum).toEqual(['credit', 'debit']);
  const { parameters } = paths['/api/v1/user/list'].get;
  const limit = parameters.find((each: { name: string }) => each.name === 'limit');
  expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
});

it('every operation of the document has a unique id', () => {
  const { paths } = document;
  const ids = Object.values(paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((operations) => Object.values(operations))
    .map((operation) => operation.operationId);
  expect(ids).toContain('get_api_v1_user_balance');
  expect(new Set(ids).size).toBe(ids.length);
});

it('the document names no file of the repository, because its readers cannot open such a file', async () => {
  const { body } = await given.app.inject({ url: '/openapi.json' });
  expect(body.match(/[\w-]+\/[\w/-]+\.md\b/g)).toBeNull();
});
