// A client with public keys accepts a verdict only if the service signed it for this request.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../services/licensing/server/src/authentication/api-key.ts';
import { type Given, givenLicensing } from '../../../services/licensing/server/test/environment/given.ts';
import { failureOf, patient } from '../../sdk-shared/test/client-calls.ts';
import { createLicensing, createMemoryCache, type LicensingOptions } from '../src/index.ts';

type Change = (answered: { status: number; text: string; headers: Headers }) => {
  status: number;
  text: string;
};

let given: Given;
let between: Server;
let options: LicensingOptions;
let code: string;
let refunded: string;
/** Changes the answers of the service, as an attacker between the client and the service could. */
let change: Change;
/** Replaces the body of the request that the service gets. */
let swapped: string | undefined;

beforeAll(async () => {
  given = await givenLicensing();
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  ({ code } = await given.purchase(workspaceId, itemId));
  ({ code: refunded } = await given.purchase(workspaceId, itemId, { state: 'refunded' }));
  const apiKey = await given.apiKey(workspaceId, { scopes: allScopes });
  const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  between = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (swapped !== undefined) parts.splice(0, parts.length, Buffer.from(swapped));
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const sent = { method: 'POST', headers: headers as Record<string, string>, body: Buffer.concat(parts) };
    const answer = await fetch(`${url}${request.url}`, sent);
    const changed = change({ status: answer.status, text: await answer.text(), headers: answer.headers });
    for (const name of ['content-digest', 'signature', 'signature-input', 'x-request-id']) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.writeHead(changed.status, { 'content-type': 'application/json' }).end(changed.text);
  });
  // The client must not use a connection that is being closed, because it does not repeat calls.
  between.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  const plain = { baseUrl, apiKey, maxAttempts: 1, ...patient };
  const direct = createLicensing({ ...plain, baseUrl: url });
  await direct.rotateSigningKey();
  const { data } = await direct.listSigningKeys();
  options = { ...plain, publicKeys: data.signing_keys.map((key) => key.public_jwk) };
});
beforeEach(() => {
  change = (answered) => answered;
  swapped = undefined;
});
afterAll(async () => {
  between.closeAllConnections();
  between.close();
  await given.close();
});

const activation = () => ({ purchase_code: code, domain: 'shop.example' });

describe('a signed answer', () => {
  it('a signed answer about a code, an activation or a licence is accepted', async () => {
    const licensing = createLicensing(options);
    expect(await licensing.validate(code)).toMatchObject({ valid: true, source: 'service' });
    expect(await licensing.validate(refunded)).toMatchObject({ valid: false, reason: 'purchase_refunded' });
    expect((await licensing.activate(activation())).data.activation.target).toBe('shop.example');
    expect((await licensing.issueLicence(activation())).data.licence).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const limit = await failureOf(licensing.activate({ purchase_code: code, domain: 'b.example' }));
    expect(limit.code).toBe('activation_limit_reached');
  });

  it.each<[string, Change]>([
    ['a changed body', ({ status, text }) => ({ status, text: text.replace('Regular', 'Extended') })],
    ['a changed status', ({ text }) => ({ status: 201, text })],
  ])('a signed answer with %s is not accepted', async (_title, changed) => {
    change = changed;
    const failure = await failureOf(createLicensing(options).validate(code));
    expect([failure.code, failure.retryable]).toEqual(['signature_invalid', true]);
  });

  it('a signed answer is not accepted if it belongs to an earlier request', async () => {
    const licensing = createLicensing(options);
    const recorded: string[] = [];
    change = ({ status, text }) => {
      recorded.push(text);
      return { status, text: recorded[0] ?? '' };
    };
    await licensing.validate(code);
    const failure = await failureOf(licensing.activate(activation()));
    expect([failure.code, failure.outcome]).toEqual(['signature_invalid', 'unknown']);
  });

  it('a signed answer is not accepted if it belongs to a request about another code', async () => {
    swapped = JSON.stringify({ purchase_code: code });
    expect((await failureOf(createLicensing(options).validate(refunded))).code).toBe('signature_invalid');
  });

  it('an answer that was signed with a key that the client does not know is not accepted', async () => {
    const failure = await failureOf(createLicensing({ ...options, publicKeys: [] }).validate(code));
    expect(failure.code).toBe('signature_invalid');
  });

  it('a refusal without a genuine signature does not end the grace period of a known code', async () => {
    let now = new Date('2026-05-04T10:00:00Z');
    const licensing = createLicensing({ ...options, cache: createMemoryCache(), now: () => now });
    await licensing.validate(code);
    now = new Date('2026-05-06T10:00:00Z');
    const text =
      '{"status":"error","code":"purchase_refunded","msg":"Invalid purchase code","retryable":false}';
    change = () => ({ status: 404, text });
    expect(await licensing.validate(code)).toMatchObject({ valid: true, source: 'grace' });
  });
});
