// libs/sdk-php/counterfoil.php with a running service: valid and invalid codes, and an unreachable service.
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { hasPhp, runPhp, titleOfPhp } from '../environment/php.ts';

const client = fileURLToPath(new URL('../../../../../libs/sdk-php/counterfoil.php', import.meta.url));

const script = `<?php
require $argv[1];
[, , $url, $key, $code, $options] = $argv;
try {
  $licensing = new Counterfoil\\Licensing($url, $key, json_decode($options, true));
  $answer = $licensing->validate($code, ['domain' => 'shop.example']);
  echo json_encode(['valid' => $answer->valid, 'reason' => $answer->reason, 'source' => $answer->source,
    'item' => $answer->purchase['item']['id'] ?? null, 'supported' => $answer->isSupported()]);
} catch (Counterfoil\\Failure $error) {
  echo json_encode(['failed' => get_class($error), 'reason' => $error->reason]);
}`;

const activationScript = `<?php
require $argv[1];
[, , $url, $key, $verb, $code, $place] = $argv;
$licensing = new Counterfoil\\Licensing($url, $key, ['timeout_seconds' => 300]);
try {
  echo json_encode($licensing->$verb($code, $place));
} catch (Counterfoil\\Failure $error) {
  echo json_encode(['failed' => get_class($error), 'reason' => $error->reason]);
}`;

interface ClientAnswer {
  readonly valid?: boolean;
  readonly supported?: boolean;
  readonly reason: string;
  readonly source?: string;
  readonly item?: number;
  readonly failed?: string;
}

const given = setUpLicensing();
let url: string;
let key: string;
let itemId: bigint;
let publishable: string;
let folder: string;
let workspaceId: bigint;

beforeAll(async () => {
  url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  outgoing = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  await once(outgoing, 'connect');
  nowhere = `http://127.0.0.1:${outgoing.localPort}`;
  workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId);
  itemId = await given.item(workspaceId);
  publishable = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate'],
    itemId,
  });
});
afterAll(async () => {
  outgoing.destroy();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-php-'));
  return () => rm(folder, { recursive: true, force: true });
});

/** Runs every call in a new PHP process, as a web server may do. */
async function validate(
  code: string,
  { at = url, as = key, ...options }: { at?: string; as?: string } & Record<string, unknown> = {},
): Promise<ClientAnswer> {
  const settings = JSON.stringify({ cache_folder: folder, timeout_seconds: 300, ...options });
  return JSON.parse(await runPhp(script, [client, at, as, code, settings])) as ClientAnswer;
}

const callPlace = async (verb: 'activate' | 'release', code: string, place: string, at = url) =>
  JSON.parse(await runPhp(activationScript, [client, at, publishable, verb, code, place]));

/**
 * An address that refuses connections. Its port is in use as the local port of the connection `outgoing`, so
 * no program can listen on it.
 */
let nowhere: string;
let outgoing: Socket;

async function serve(answer: Parameters<typeof createServer>[1]): Promise<[string, Server]> {
  const server = createServer(answer as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server];
}

describe.runIf(hasPhp)(titleOfPhp('the PHP client'), () => {
  it('the PHP client gets the verdict of a sold code from the service, then from its cache', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    const first = await validate(code);
    expect(first).toMatchObject({ valid: true, source: 'service', item: Number(itemId) });
    expect(await validate(` ${code.toUpperCase()} `)).toMatchObject({
      valid: true,
      source: 'cache',
    });
  });

  it('the PHP client does not use a cached verdict whose time is in the future', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    await validate(code);
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    const cached = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...cached, checked_at: cached.checked_at + 3600 }));
    expect(await validate(code)).toMatchObject({ valid: true, source: 'service' });
  });

  it('the PHP client returns supported only before the end of support', async () => {
    const supportedOf = async (supportedUntil?: Date) => {
      const { code } = await given.purchase(workspaceId, itemId, {
        ...(supportedUntil && { supportedUntil }),
      });
      const { valid, supported } = await validate(code);
      return { valid, supported };
    };
    // PHP uses the clock of the machine.
    expect(await supportedOf(new Date('2099-12-31T00:00:00Z'))).toEqual({ valid: true, supported: true });
    expect(await supportedOf(new Date('2020-01-01T00:00:00Z'))).toEqual({ valid: true, supported: false });
    expect(await supportedOf()).toEqual({ valid: true, supported: false });
  });

  it('the PHP client returns invalid for an unknown code, with the reason', async () => {
    expect(await validate('never-sold')).toMatchObject({
      valid: false,
      reason: 'purchase_not_found',
      source: 'service',
    });
  });

  it('if the service is down, the PHP client returns valid in the grace period, then an error', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    await validate(code);
    const away = { at: nowhere, cache_seconds: 0 };
    expect(await validate(code, away)).toMatchObject({ valid: true, source: 'grace' });
    const over = await validate(code, { ...away, grace_seconds: -1 });
    expect(over).toEqual({ failed: 'Counterfoil\\Unavailable', reason: 'unreachable' });
  });

  it('the PHP client never returns valid for an invalid code if the service is unreachable', async () => {
    const result = await validate('never-sold', { refusal_seconds: 0 });
    expect(result.valid).toBe(false);
    const away = await validate('never-sold', { at: nowhere, refusal_seconds: 0 });
    expect(away).toMatchObject({ failed: 'Counterfoil\\Unavailable' });
  });

  it('the PHP client reports a wrong key as an error, not as an invalid code', async () => {
    const result = await validate('whatever', { as: 'ck_live_wrong_wrong_wrong_wrong' });
    expect(result).toEqual({ failed: 'Counterfoil\\Refused', reason: 'api_key_invalid' });
  });

  it('the PHP client reports an HTML page as unreadable, and follows no redirect', async () => {
    const [html, server] = await serve((_request, response) => response.end('<h1>Maintenance</h1>'));
    expect(await validate('a', { at: html })).toMatchObject({ reason: 'unreadable' });
    server.close();
    const [away, other] = await serve((_request, response) => {
      response.writeHead(302, { location: url }).end();
    });
    expect(await validate('a', { at: away })).toMatchObject({ reason: 'unreadable' });
    other.close();
  });

  it('with public keys, the PHP client accepts only verdicts that the service signed', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    const issuing = await given.apiKey(workspaceId, { scopes: ['activations:write'] });
    const licence = await given.app.inject({
      method: 'POST',
      url: '/api/v1/licences',
      headers: { 'x-api-key': issuing },
      payload: { purchase_code: code, domain: 'shop.example' },
    });
    expect(licence.statusCode, licence.body).toBe(200);
    const public_keys = (await given.app.inject({ url: `/.well-known/jwks/${workspaceId}.json` })).json();
    expect(await validate(code, { public_keys })).toMatchObject({ valid: true, source: 'service' });
    expect(await validate('never-sold', { public_keys })).toMatchObject({ reason: 'purchase_not_found' });
    const failed = { failed: 'Counterfoil\\Unavailable', reason: 'signature_invalid' };
    const [fake, server] = await serve((_request, response) => {
      response.end('{"status":"success","data":{"purchase":{"purchase_code":"stolen"}}}');
    });
    expect(await validate('stolen', { at: fake, public_keys })).toEqual(failed);
    server.close();
    const other = await given.purchase(workspaceId, itemId);
    expect(await validate(other.code, { public_keys: [] })).toEqual(failed);
  });

  it('the PHP client aborts a response after the timeout, even if bytes are still arriving', async () => {
    const [drip, server] = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    // On a slow machine even the headers may arrive after the timeout. The call is then repeated with twice
    // the timeout.
    let seconds = 1;
    let result = await validate('a', { at: drip, timeout_seconds: seconds });
    while (result.reason === 'unreachable' && seconds < 100) {
      seconds *= 2;
      result = await validate('a', { at: drip, timeout_seconds: seconds });
    }
    expect(result).toMatchObject({ reason: 'timeout' });
    server.closeAllConnections();
    server.close();
  });

  it('the PHP client activates a host once, reports a reached limit, and releases the host', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    const first = await callPlace('activate', code, 'https://www.Shop.Example/');
    expect(first).toMatchObject({ active: true, target: 'shop.example', limit: 1, used: 1 });
    expect(await callPlace('activate', ` ${code} `, 'shop.example')).toEqual(first);
    const refused = { active: false, reason: 'activation_limit_reached', limit: 1, used: 1 };
    expect(await callPlace('activate', code, 'other.example')).toMatchObject(refused);
    expect(await callPlace('release', code, 'shop.example')).toBe(true);
    expect(await callPlace('activate', code, 'other.example')).toMatchObject({ active: true });
    const unknown = await callPlace('activate', 'never-sold', 'shop.example');
    expect(unknown).toMatchObject({ active: false, reason: 'purchase_not_found' });
    const away = await callPlace('activate', code, 'shop.example', nowhere);
    expect(away).toEqual({ failed: 'Counterfoil\\Unavailable', reason: 'unreachable' });
  });

  it('the PHP client prints the result that docs/guide/activations.md shows', async () => {
    const page = await readFile(new URL('../../../../../docs/guide/activations.md', import.meta.url), 'utf8');
    const [, snippet = ''] = /```php\n(<\?php\n[\s\S]*?)```/.exec(page) ?? [];
    expect(snippet).toContain('activate(');
    const { code } = await given.purchase(workspaceId, itemId);
    const source = snippet
      .replace("'counterfoil.php'", `'${client}'`)
      .replace('https://licensing.example.com', url)
      .replace("'ck_pub_…'", `'${publishable}', ['timeout_seconds' => 300]`)
      .replace('86781236-23d0-4b3c-7dfa-c1c147e0dece', code);
    expect(await runPhp(source, [])).toBe('active on shop.example, 1 of 1\nreleased\n');
  });

  it('the PHP client stores neither key nor code in its cache file, which is private', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    await validate(code);
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    const text = name + (await readFile(file, 'utf8'));
    expect(text).not.toContain(code);
    expect(text).not.toContain(key);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });
});
