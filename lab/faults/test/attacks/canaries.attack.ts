// After the attacks, no log, table, export, refusal or metric contains a secret.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSecrets } from './canary-secrets.ts';
import { fuzz } from './fuzz.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { seed, size } from './sizes.ts';
import { ownPath, type Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

/** Not the exports of pools and for buyers: these exist to hand out codes to the people who own them. */
const licensingExports = /^(?!.*\/(?:buyers|pools)\/).*(?:export|audit-log|requests|\/purchases)$/;

describe.each([
  ['licensing', openLicensingTarget, 'key.rotated', licensingExports],
  ['wallet', openWalletTarget, 'package.suspended', /journal\.csv$|audit-log$|callbacks$|key-pairs$|feed$/],
] as const)('the service %s', (_name, open, eventType, exported) => {
  let target: Target;
  let sender: Sender;
  beforeAll(async () => {
    target = await open();
    sender = openSender(target.port);
  });
  afterAll(async () => {
    sender.close();
    await target.close();
  });

  /** Sends the secret in paths, queries, headers and bodies, and returns the answers. */
  async function misplace(secret: string): Promise<string[]> {
    const url = encodeURIComponent(secret);
    const json = { 'content-type': 'application/json' };
    const requests = [
      { method: 'GET', url: `/${url}`, headers: {} },
      { method: 'GET', url: `/healthz?key=${url}`, headers: { referer: `http://x/${url}` } },
      { method: 'GET', url: `/panel/sessions/${url}`, headers: { cookie: `x=${url}` } },
      {
        method: 'GET',
        url: '/api/account/details',
        headers: { authorization: `Bearer ${secret}` },
      },
      { method: 'GET', url: `/api/v1/user/balance?player_id=${url}`, headers: { 'x-uid': secret } },
      { method: 'GET', url: '/admin/v1/packages', headers: { authorization: `Bearer ${secret}` } },
      { method: 'PUT', url: `/downloads/${url}`, headers: {} },
      { method: 'GET', url: `/downloads/${url}`, headers: {} },
      { method: 'GET', url: '/updates/1.json', headers: { 'x-purchase-code': secret } },
      { method: 'GET', url: `/updates/1.json?purchase_code=${url}`, headers: {} },
      { method: 'GET', url: `/updates/wordpress/1?purchase_code=${url}`, headers: {} },
      {
        method: 'GET',
        url: '/updates/composer/1/packages.json',
        headers: { authorization: `Basic ${Buffer.from(`buyer:${secret}`).toString('base64')}` },
      },
      { method: 'GET', url: `/.well-known/jwks/${url}.json`, headers: { 'x-nonce': secret } },
      { method: 'GET', url: `/v3/market/author/sale?code=${url}`, headers: { authorization: secret } },
      {
        method: 'POST',
        url: `/vendors/${url}/v2/licenses/verify`,
        headers: json,
        body: Buffer.from(JSON.stringify({ license_key: secret, product_id: secret })),
      },
      {
        method: 'POST',
        url: `/vendors/${url}/v1/licenses/activate`,
        headers: json,
        body: Buffer.from(JSON.stringify({ license_key: secret, instance_name: secret })),
      },
      {
        method: 'POST',
        url: '/panel/session',
        headers: { ...json, 'user-agent': secret },
        body: Buffer.from(JSON.stringify({ email: secret, password: secret })),
      },
      {
        method: 'POST',
        url: '/api/purchases/validation',
        headers: json,
        body: Buffer.from(`{"purchase_code":"${secret}", broken`),
      },
    ];
    const texts: string[] = [];
    for (const request of requests) {
      const { status, text } = await sender.send(request);
      // The answer to a valid code may contain secrets: the update server answers with download links.
      if (!(request.url.startsWith('/updates/') && status === 200)) texts.push(text);
    }
    return texts;
  }

  it('the service writes no secret into its log, tables, exports, refusals or metrics', async () => {
    const secrets = [...target.listSecrets(), ...(await makeSecrets(target, sender, eventType))];
    const { refusals } = await fuzz(target, { cases: size(100, 2_000), seed: seed + 1 });
    const known = new Set(secrets.map(([, secret]) => secret));
    secrets.push(...target.listSecrets().filter(([, secret]) => !known.has(secret)));
    const answers: string[] = [...refusals];
    for (const [, secret] of secrets) answers.push(...(await misplace(secret)));
    const exports: string[] = [];
    for (const operation of listOperations(target.document)) {
      if (operation.method !== 'GET' || !exported.test(operation.path)) continue;
      const url = ownPath(target, operation);
      const headers = target.headersFor(operation, 'own');
      const answer = await sender.send({ method: 'GET', url, headers });
      expect([operation.title, answer.status]).toEqual([operation.title, 200]);
      exports.push(answer.text);
    }
    const metrics = await sender.send({ method: 'GET', url: '/metrics', headers: {} });
    expect(metrics.status).toBe(200);
    const searched = {
      log: target.logLines.join('\n'),
      database: await dumpRows(target.db),
      exports: exports.join('\n'),
      answers: answers.join('\n'),
      metrics: metrics.text,
    };
    expect(exports.length).toBeGreaterThan(3);
    for (const [where, text] of Object.entries(searched)) {
      expect(text.length, where).toBeGreaterThan(100);
      for (const [name, secret] of secrets) {
        expect(secret.length, name).toBeGreaterThan(15);
        const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
        const hex = Buffer.from(secret).toString('hex');
        for (const form of [secret, encodeURIComponent(secret), base64, hex]) {
          expect(text.includes(form), `${name} in ${where}`).toBe(false);
        }
      }
    }
  }, 900_000);
});
