// POST /api/purchases/validation: codes of other sellers and items are answered like unknown codes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestEvent, ValidationEvent } from '../../src/usage/usage-sink.ts';
import { type CountedApp, openCountedApp } from '../environment/counted-app.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

const unknownCode = '00000000-0000-4000-8000-000000000000';
const requests: RequestEvent[] = [];
const validations: ValidationEvent[] = [];

let given: Given;
let counted: CountedApp;
let workspaceId: bigint;
let itemId: bigint;
let otherItemId: bigint;
let key: string;
let publishable: string;
let codes: { own: string; otherItem: string; foreign: string; refunded: string };

beforeAll(async () => {
  given = await givenLicensing();
  // The tests count SQL statements. On a slow machine, a cache entry could expire and be loaded again by one
  // more statement. So the clock of the caches is stopped.
  given.memoryClock.ms = 0;
  counted = await openCountedApp(given, {
    onRequest: (event) => requests.push(event),
    onValidation: (event) => validations.push(event),
    onRefusedCode: () => {},
  });
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  otherItemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId);
  publishable = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate'],
    itemId,
  });
  const stranger = await given.workspace();
  codes = {
    own: (await given.purchase(workspaceId, itemId)).code,
    otherItem: (await given.purchase(workspaceId, otherItemId)).code,
    foreign: (await given.purchase(stranger, await given.item(stranger))).code,
    refunded: (await given.purchase(workspaceId, itemId, { state: 'refunded' })).code,
  };
});

afterAll(async () => {
  await counted.close();
  await given.close();
});

const ask = (secret: string, code: string) =>
  validate(counted, json({ purchase_code: code }, { 'x-api-key': secret }));

/**
 * Sends a code. Returns the answer without its date and request id, and the SQL statements that the service
 * ran for the request.
 */
async function observe(secret: string, code: string) {
  const before = counted.statements.length;
  const answer = await ask(secret, code);
  const requestId = answer.headers['x-request-id'] as string;
  const { date: _date, ...headers } = answer.headers;
  return {
    status: answer.statusCode,
    headers: JSON.stringify(headers).replaceAll(requestId, 'ID'),
    body: answer.body.replaceAll(requestId, 'ID'),
    statements: counted.statements.slice(before),
  };
}

describe('a code that the key may not validate', () => {
  it("another seller's code and an unknown code get the same answer and cause the same SQL", async () => {
    await ask(key, unknownCode);
    const unknown = await observe(key, unknownCode);
    expect(unknown.status).toBe(404);
    expect(unknown.statements).toHaveLength(1);
    expect(await observe(key, codes.foreign)).toEqual(unknown);
  });

  it("with a publishable key, another item's code gets the answer of an unknown code", async () => {
    expect((await ask(publishable, codes.own)).statusCode).toBe(200);
    expect((await ask(key, codes.otherItem)).statusCode).toBe(200);
    const unknown = await observe(publishable, unknownCode);
    expect(await observe(publishable, codes.otherItem)).toEqual(unknown);
    expect(await observe(publishable, codes.foreign)).toEqual(unknown);
  });
});

describe('a publishable key', () => {
  it.each(['/api/account/details', '/api/items/all', '/api/items/item?item_id=1'])(
    'a publishable key cannot call %s, even if its stored scopes allow it',
    async (url) => {
      const wide = await given.apiKey(workspaceId, {
        kind: 'publishable',
        scopes: ['account:read', 'items:read', 'purchases:validate'],
        itemId,
      });
      const answer = await given.app.inject({ url, headers: { 'x-api-key': wide } });
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'insufficient_scope']);
    },
  );
});

describe('the statements of validations', () => {
  it('each validation with a cached key runs one statement, which only reads', async () => {
    await ask(key, codes.own);
    counted.statements.length = 0;
    for (let i = 0; i < 5; i++) expect((await ask(key, codes.own)).statusCode).toBe(200);
    expect(counted.statements).toHaveLength(5);
    for (const statement of counted.statements) expect(statement).toMatch(/^select /);
  });

  it('concurrent validations share statements, and every caller gets its own answer', async () => {
    const sales = [];
    for (let i = 0; i < 30; i++) sales.push(await given.purchase(workspaceId, itemId));
    await ask(key, codes.own);
    counted.statements.length = 0;
    const asked = [...sales.map((sale) => sale.code), unknownCode, codes.foreign, codes.refunded];
    const answers = await Promise.all(asked.map((code) => ask(key, code)));
    expect(answers.map((answer) => answer.json().data?.purchase.purchase_code)).toEqual([
      ...sales.map((sale) => sale.code),
      undefined,
      undefined,
      undefined,
    ]);
    expect(counted.statements.length).toBeLessThan(10);
  });

  it('each statement of a validation reads the data of one workspace only', async () => {
    const others = [await given.workspace(), await given.workspace()];
    const keys = await Promise.all(others.map((id) => given.apiKey(id)));
    await Promise.all(keys.map((each) => ask(each, unknownCode)));
    counted.statements.length = 0;
    const answers = await Promise.all([key, ...keys].map((each) => ask(each, codes.own)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 404, 404]);
    expect(counted.statements).toHaveLength(3);
  });
});

describe('the usage sink', () => {
  it('the usage sink receives the request and its result, but not the key or the full code', async () => {
    requests.length = 0;
    validations.length = 0;
    await ask(key, codes.refunded);
    expect(validations).toEqual([
      expect.objectContaining({ workspaceId, outcome: 'purchase_refunded', itemId }),
    ]);
    expect(requests).toEqual([
      expect.objectContaining({
        workspaceId,
        method: 'POST',
        route: '/api/purchases/validation',
        status: 404,
        code: 'purchase_refunded',
        itemId,
        codeHint: `…${codes.refunded.slice(-4)}`,
      }),
    ]);
    const text = JSON.stringify([requests, validations], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toContain(key);
    expect(text).not.toContain(codes.refunded);
  });
});
