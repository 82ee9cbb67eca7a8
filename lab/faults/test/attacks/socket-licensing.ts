// A licensing service with one purchase per slot, and plain requests for validations and licences.
import fc from 'fast-check';
import { testScopes } from '../../../../services/licensing/server/src/authentication/api-key.ts';
import { givenLicensing } from '../../../../services/licensing/server/test/environment/given.ts';
import type { Requests } from './conversations.ts';
import { type ComparedService, observe, readRequestCounts, slots } from './socket-service.ts';

export async function openLicensingService(setting: 'on' | 'off'): Promise<ComparedService> {
  const given = await givenLicensing({
    SOCKET_FAST_PATH: setting,
    AUTH_FAILURES_PER_MINUTE: '0',
    WRONG_CODES_PER_MINUTE: '0',
    PUBLISHABLE_WRONG_CODES_PER_MINUTE: '0',
  });
  const workspace = await given.workspace();
  const item = await given.item(workspace);
  const key = await given.apiKey(workspace, { scopes: testScopes });
  const codes = new Map<string, string>();
  for (const slot of slots) codes.set(slot, (await given.purchase(workspace, item)).code);
  const path = '/api/purchases/validation';
  const licencePath = '/api/v1/licences';
  const headers = { 'x-api-key': key };
  await given.app.inject({
    method: 'POST',
    url: path,
    headers,
    payload: { purchase_code: codes.get('aaaaa') },
  });
  const observed = await observe(given.app);
  const bodiesOf = (code: string) =>
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(code, code, ` ${code} `).map((each) => `{"purchase_code":"${each}"}`),
      },
      { weight: 2, arbitrary: fc.constant(`{"purchase_code":"${code}","api_key":"${key}"}`) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...[
            '',
            '{',
            '[]',
            '{"purchase_code":1}',
            '{"purchase_code":"unknown"}',
            '{"purchase_code":"Zo\xeb"}',
          ],
          `{"purchase_code":"${code}","api_key":"wrong"}`,
          `{"purchase_code":"${code}","purchase_code":"x"}`,
        ),
      },
    );
  const licencesOf = (code: string) =>
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .constantFrom('shop.example', 'shop.example', 'HTTPS://www.Shop.example/', 'dev.local', 'b.example')
          .map((domain) => `{"purchase_code":"${code}","domain":"${domain}"}`),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...['', '{', '[]', '{"domain":"shop.example"}', '{"purchase_code":"unknown","domain":"a.example"}'],
          `{"purchase_code":"${code}"}`,
          `{"purchase_code":"${code}","domain":"zo\xeb.example"}`,
        ),
      },
    );
  const lines = ['Host: x', 'Content-Type: application/json', `X-Api-Key: ${key}`, 'Content-Length: #'];
  return {
    ...observed,
    credentials: [key, ...codes.values()],
    requestsOf: (slot): Requests => ({
      posts: fc.constantFrom(
        { first: `POST ${path} HTTP/1.1`, lines, bodies: bodiesOf(codes.get(slot) ?? '') },
        { first: `POST ${licencePath} HTTP/1.1`, lines, bodies: licencesOf(codes.get(slot) ?? '') },
      ),
      reads: fc.constant(Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')),
      secret: ['X-Api-Key', key],
    }),
    readEffects: async () => ({ counts: await readRequestCounts(given.app) }),
    close: () => given.close(),
  };
}
