// GET /openapi.json: every operation has a name of its own, by which generators call it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenWallet } from './given.ts';

let given: Given;
beforeAll(async () => {
  given = await givenWallet();
});
afterAll(() => given.close());

it('gives every operation a name of its own', async () => {
  const { paths } = (await given.app.inject({ url: '/openapi.json' })).json();
  const ids = Object.values(paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((operations) => Object.values(operations))
    .map((operation) => operation.operationId);
  expect(ids).toContain('get_api_v1_user_balance');
  expect(new Set(ids).size).toBe(ids.length);
});
