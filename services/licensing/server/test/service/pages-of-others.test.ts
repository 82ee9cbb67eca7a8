// Pages of other sites can validate codes, activate hosts and get licences with a key. They cannot read the
// account, the management API or the panel.
import { beforeAll, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();
let key: string;
let code: string;
const origin = 'https://shop.example';

beforeAll(async () => {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate', 'activations:write'],
    itemId,
  });
  code = (await given.purchase(workspaceId, itemId)).code;
});
const open = [
  '/api/purchases/validation',
  '/api/v1/activations',
  '/api/v1/activations/release',
  '/api/v1/licences',
];

it.each(open)(
  'the route %s answers preflight requests and allows every origin, even in refusals',
  async (url) => {
    const ask = (headers: Record<string, string>) => given.app.inject({ method: 'OPTIONS', url, headers });
    const asked = await ask({ origin, 'access-control-request-method': 'POST' });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-api-key, authorization, x-nonce',
    });
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
    const plain = await ask({ origin });
    const wrong = await given.app.inject({ method: 'PUT', url });
    expect([plain.statusCode, plain.headers.allow]).toEqual([405, wrong.headers.allow]);
    expect(plain.headers.allow).toContain('POST');
    const payload = { purchase_code: code, domain: 'shop.example' };
    for (const [sent, status] of [
      [key, 200],
      ['ck_pub_wrong_wrong_wrong', 401],
    ] as const) {
      const headers = { origin, 'x-api-key': sent };
      const answer = await given.app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  },
);

it('every validation from a page over a real connection has the CORS headers', async () => {
  const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { origin, 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ purchase_code: code });
  for (let times = 0; times < 3; times++) {
    const answer = await fetch(`${url}/api/purchases/validation`, {
      method: 'POST',
      headers,
      body,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  }
});

it('the account, the management API and the panel allow no requests from pages of other sites', async () => {
  for (const url of ['/api/account/details', '/api/v1/purchases', '/panel/session', '/nowhere']) {
    for (const method of ['OPTIONS', 'GET'] as const) {
      const headers = { origin, 'x-api-key': key, 'access-control-request-method': 'GET' };
      const answer = await given.app.inject({ method, url, headers });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  }
});
