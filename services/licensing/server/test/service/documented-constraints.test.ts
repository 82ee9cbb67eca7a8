// The service accepts exactly the requests that its OpenAPI document allows.
import { type DocumentedRequest, isDocumented } from '@counterfoil/kit/testing/openapi/documented-verdict';
import { beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();
let key: string;
let purchaseId: bigint;
let document: ReturnType<typeof JSON.parse>;
beforeAll(async () => {
  const workspaceId = await given.workspace();
  purchaseId = (await given.purchase(workspaceId, await given.item(workspaceId))).id;
  key = await given.apiKey(workspaceId, { scopes: allScopes });
  document = (await given.app.inject('/openapi.json')).json();
});
const all = (name: string, value: string): DocumentedRequest => ({
  operation: 'GET /api/items/all',
  query: { [name]: value },
});
const list = (name: string, value: string): DocumentedRequest => ({
  operation: 'GET /api/v1/purchases',
  query: { [name]: value },
});
const post = (path: string, body: object): DocumentedRequest => ({
  operation: `POST /api/v1/${path}`,
  body,
});
const item = (item_id: string) => ({ operation: 'GET /api/items/item', query: { item_id } });
const correct = (email: string): DocumentedRequest => ({
  operation: 'PATCH /api/v1/purchases/{purchase_id}',
  body: { buyer: { email } },
});
const purchase_code = 'x'.repeat(128);

it.each<DocumentedRequest>([
  ...['1', '999999999'].map((page) => all('page', page)),
  ...['1', '100'].map((size) => all('per_page', size)),
  ...['2026-05-04', '2028-02-29T10:00', '1970-01-01T00:00:00Z', '2026-05-04 10:00:00.5+0530'].map((moment) =>
    all('updated_since', moment),
  ),
  ...['1', '9007199254740991'].map(item),
  ...['1', '100'].map((limit) => list('limit', limit)),
  ...['1', '123.456'].map((cursor) => list('cursor', cursor)),
  ...['a', purchase_code, '😀'.repeat(128)].map((code) => list('purchase_code', code)),
  ...['ada@example.com', 'größe@müller.example'].map((mail) => list('buyer_email', mail)),
  ...['', 'ada@example.com'].map(correct),
  post('activations', { purchase_code, domain: 'shop.example' }),
  post('activations', { purchase_code, machine_id: 'm'.repeat(128) }),
  post('activations/release', { purchase_code, activation_id: 1, domain: 'a', machine_id: 'b' }),
  post('activations/release', { purchase_code, machine_id: 'b' }),
  post('buyers/erase', { email: 'ada@example.com' }),
])('a request that the document allows is accepted: %j', async (request) => {
  expect(isDocumented(document, request)).toBe(true);
  expect(await send(request)).not.toBe(400);
});

it.each<DocumentedRequest>([
  ...['0', '-1', 'x', '1000000000'].map((page) => all('page', page)),
  ...['0', '101'].map((size) => all('per_page', size)),
  ...['string', '2026-13-01', '2026-02-30', '1969-12-31', '9999-01-01', '2026-05-04T25:00Z'].map((moment) =>
    all('updated_since', moment),
  ),
  ...['0', '-1', '1.5', 'abc'].map(item),
  ...['0', '101', 'x'].map((limit) => list('limit', limit)),
  ...['string', '-1', '1.2.3'].map((cursor) => list('cursor', cursor)),
  ...[' ', 'x'.repeat(129), 'a\u0000', '\u2028'].map((code) => list('purchase_code', code)),
  ...['string', 'a@', 'a b@c', 'a\u200b@b'].map((mail) => list('buyer_email', mail)),
  ...['nobody', 'a@', 'a b@c'].map(correct),
  post('activations', { purchase_code }),
  post('activations', { purchase_code, domain: 'shop.example', machine_id: 'm' }),
  post('activations', { purchase_code, machine_id: ' ' }),
  post('activations', { purchase_code, machine_id: 'm'.repeat(129) }),
  post('activations', { purchase_code: 'x'.repeat(129), domain: 'shop.example' }),
  post('activations/release', { purchase_code }),
  post('activations/release', { purchase_code, domain: 'shop.example', machine_id: 'm' }),
  post('buyers/erase', {}),
  post('buyers/erase', { email: 'ada@example.com', purchase_id: 1 }),
  post('buyers/erase', { email: 'string' }),
])('a request that the document forbids is refused: %j', async (request) => {
  expect(isDocumented(document, request)).toBe(false);
  expect(await send(request)).toBe(400);
});

async function send({ operation, query = {}, body }: DocumentedRequest): Promise<number> {
  const [method, url] = operation.split(' ');
  const answer = await given.app.inject({
    method: method as 'GET',
    url: (url ?? '').replace('{purchase_id}', String(purchaseId)),
    query: { ...query },
    headers: { 'x-api-key': key },
    ...(body !== undefined && { payload: body as object }),
  });
  return answer.statusCode;
}
