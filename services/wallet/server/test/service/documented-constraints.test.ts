// The service accepts exactly the requests that its OpenAPI document allows.
import { type DocumentedRequest, isDocumented } from '@counterfoil/kit/testing/openapi/documented-verdict';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;
let document: ReturnType<typeof JSON.parse>;
beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  await given.player(owner, { playerId: 'ada' });
  document = (await given.app.inject('/openapi.json')).json();
});
afterAll(() => given.close());

const list = (name: string, value: string): DocumentedRequest => ({
  operation: 'GET /api/v1/user/list',
  query: { [name]: value },
});
const feed = (name: string, value: string): DocumentedRequest => ({
  operation: 'GET /api/v1/feed',
  query: { [name]: value },
});
let orders = 0;
const move = (amount: unknown, more: object = {}): DocumentedRequest => ({
  operation: 'POST /api/v1/user/update_balance',
  body: {
    player_id: 'ada',
    type: 'credit',
    amount,
    transaction_id: `order-${++orders}`,
    ...more,
  },
});
const balanceOf = (player_id: string) => ({
  operation: 'GET /api/v1/user/balance',
  query: { player_id },
});

it.each<DocumentedRequest>([
  ...['1', '100'].map((limit) => list('limit', limit)),
  ...['1', '1000'].map((limit) => feed('limit', limit)),
  ...['0', '9007199254740991'].map((after) => feed('after', after)),
  ...[1, 12.5, 0.01, '1', '12.50', '0.01', '007'].map((amount) => move(amount)),
  move(1, { type: 'debit', note: null }),
  move(1, { note: '😀'.repeat(255) }),
  ...['a', '😀'.repeat(64)].map(balanceOf),
])('both the document and the service accept %j', async (request) => {
  expect(isDocumented(document, request)).toBe(true);
  expect(await send(request)).not.toBe(400);
});

it.each<DocumentedRequest>([
  ...['0', '101', '-1', 'x'].map((limit) => list('limit', limit)),
  ...['', 'a b', '!'].map((cursor) => list('cursor', cursor)),
  ...['0', '1001', 'x'].map((limit) => feed('limit', limit)),
  ...['-1', 'x'].map((after) => feed('after', after)),
  ...[0, -1, '0', '0.00', '-1', '1e2', '0x10', '.5', '', true, null, [1], {}].map((amount) => move(amount)),
  move(1, { type: 'top_up' }),
  move(1, { note: 'a\nb' }),
  move(1, { note: 'x'.repeat(256) }),
  ...['', 'x'.repeat(65), 'a\u0007', '\u2029'].map(balanceOf),
])('both the document and the service refuse %j', async (request) => {
  expect(isDocumented(document, request)).toBe(false);
  expect(await send(request)).toBe(400);
});

it('the service checks the Origin header, which the document does not list as a parameter', async () => {
  const request = balanceOf('ada');
  expect(await send(request, { origin: 'string' })).toBe(403);
  expect(await send(request, { origin: 'https://test.example' })).toBe(200);
});

async function send(
  { operation, query = {}, body }: DocumentedRequest,
  headers: Record<string, string> = {},
): Promise<number> {
  const [method, url] = operation.split(' ');
  const answer = await given.app.inject({
    method: method as 'GET',
    url: url ?? '',
    query: { ...query },
    headers: { ...owner.headers, ...headers },
    ...(body !== undefined && { payload: body as object }),
  });
  return answer.statusCode;
}
