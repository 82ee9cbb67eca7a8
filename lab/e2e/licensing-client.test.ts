// Runs @counterfoil/licensing in a browser, on a page of another site, with a publishable key.
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { browserTimeoutMs, describeInBrowser } from '@counterfoil/kit/testing/chromium';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../../services/licensing/server/test/environment/given.ts';
import { launchBrowser } from './browser.ts';

/** The built client, as it is published. `npm test` builds it first. */
const dist = fileURLToPath(new URL('../../libs/sdk-licensing/dist/', import.meta.url));

/** This function runs in the page and cannot use variables of this file. */
const script = `async ({ url, key, code, secret, time }) => {
  const client = await import('/sdk-licensing/src/index.js');
  const { createLicensing, CounterfoilError, isSupported, verifyLicence } = client;
  const patient = { timeoutMs: 600_000, deadlineMs: 600_000 };
  const cache = {
    get: (name) => localStorage.getItem(name),
    set: (name, text) => localStorage.setItem(name, text),
    delete: (name) => localStorage.removeItem(name),
  };
  const licensing = createLicensing({ baseUrl: url, apiKey: key, cache, ...patient });
  const domain = 'shop.example';
  const first = await licensing.validate(code, { domain });
  const again = await licensing.validate(code, { domain });
  const wrong = await licensing.validate('never-sold');
  const activated = await licensing.activate({ purchase_code: code, domain });
  const { licence, jwks_url } = (await licensing.issueLicence({ purchase_code: code, domain })).data;
  const keys = await (await fetch(url + new URL(jwks_url).pathname)).json();
  const now = new Date(time);
  const swap = (part) => part.slice(0, -1) + (part.endsWith('A') ? 'B' : 'A');
  const changed = licence.replace(/\\.[^.]{20}/, swap);
  const verdicts = [
    await verifyLicence(licence, { keys, domain: location.protocol + '//www.' + domain, now }),
    await verifyLicence(licence, { keys, domain: 'other.example', now }),
    await verifyLicence(changed, { keys, domain, now }),
    await verifyLicence(licence, { keys: [], domain, now }),
    await verifyLicence(licence, { keys, domain, now: new Date(time + 30 * 86_400_000) }),
  ].map((verdict) => verdict.valid || verdict.reason);
  const signing = { baseUrl: url, apiKey: key, maxAttempts: 1, ...patient };
  const signed = await createLicensing({ ...signing, publicKeys: keys }).validate(code);
  const unknown = await createLicensing({ ...signing, publicKeys: [] })
    .validate(code)
    .catch((error) => error.code);
  const closed = await createLicensing({ baseUrl: url, apiKey: secret, maxAttempts: 1, ...patient })
    .getAccount()
    .catch((error) => error instanceof CounterfoilError && error.code);
  return {
    sources: [first.source, again.source],
    supported: isSupported(first),
    reason: wrong.reason,
    target: activated.data.activation.target,
    closed,
    verdicts,
    signed: [signed.valid, unknown],
    kept: Object.entries(localStorage).join(),
  };
}`;

describeInBrowser('the licensing client on a web page', () => {
  let given: Given;
  let shop: Server;
  let browser: Browser;

  beforeAll(async () => {
    given = await givenLicensing();
    shop = createServer((request, response) => {
      const path = request.url ?? '/';
      if (!path.endsWith('.js')) return void response.setHeader('content-type', 'text/html').end();
      readFile(dist + path).then(
        (text) => response.setHeader('content-type', 'text/javascript').end(text),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    shop.closeAllConnections();
    shop.close();
    await given.close();
  });

  it('the client validates codes and verifies licences, but cannot use a secret key', async () => {
    const workspaceId = await given.workspace();
    const itemId = await given.item(workspaceId);
    const scopes = ['purchases:validate', 'activations:write'] as const;
    const key = await given.apiKey(workspaceId, { kind: 'publishable', scopes, itemId });
    // The page uses the clock of the machine.
    const supportedUntil = new Date('2099-12-31T00:00:00Z');
    const { code } = await given.purchase(workspaceId, itemId, { supportedUntil });
    const secret = await given.apiKey(workspaceId);
    const url = await given.app.listen({ host: '127.0.0.1', port: 0 });
    const page = await browser.newPage();
    page.setDefaultTimeout(browserTimeoutMs);
    await page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
    const asked = JSON.stringify({ url, key, code, secret, time: given.clock.now.getTime() });
    const seen = (await page.evaluate(`(${script})(${asked})`)) as Record<string, unknown>;
    expect(seen).toMatchObject({
      sources: ['service', 'cache'],
      supported: true,
      reason: 'purchase_not_found',
      target: 'shop.example',
      closed: 'network_error',
      verdicts: [true, 'wrong_host', 'signature_invalid', 'unknown_key', 'expired'],
      signed: [true, 'signature_invalid'],
    });
    expect(seen.kept).toContain('counterfoil-');
    for (const each of [key, code]) expect(seen.kept).not.toContain(each);
    await page.close();
  });
});
