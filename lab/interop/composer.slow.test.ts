// The real Composer installs an item from the update server with a valid code, and fails with other codes.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../services/licensing/server/src/authentication/api-key.ts';
import { keyClient, type TestClient } from '../../services/licensing/server/test/environment/clients.ts';
import { type Given, givenLicensing } from '../../services/licensing/server/test/environment/given.ts';

/** The name of a missing program; undefined if both programs are installed. */
const missing = ['composer', 'unzip'].find((program) => {
  try {
    execFileSync(program, program === 'unzip' ? ['-v'] : ['--version'], {
      stdio: 'ignore',
      env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
    });
    return false;
  } catch {
    return true;
  }
});

/** Makes a ZIP archive with uncompressed files (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const part = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, rest, Buffer.from(name)]));
    parts.push(part);
    offset += part.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}

let given: Given;
let origin: string;
let workspaceId: bigint;
let itemId: bigint;
let client: TestClient;
const folders: string[] = [];

beforeAll(async () => {
  // The addresses of archives are absolute, so the service must know its port.
  const port = await findFreePort();
  origin = `http://127.0.0.1:${port}`;
  given = await givenLicensing({ LICENSING_PUBLIC_URL: origin });
  await given.app.listen({ host: '127.0.0.1', port });
  workspaceId = await given.workspace();
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  itemId = await given.item(workspaceId, { name: 'Acme Forms', externalId: 'acme/forms' });
  for (const [version, channel] of [
    ['1.0.0', 'stable'],
    ['1.1.0', 'stable'],
    ['1.2.0', 'beta'],
  ] as const)
    await release(version, channel);
});
afterAll(async () => {
  await given?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function release(version: string, channel: string): Promise<void> {
  const path = `/items/${itemId}/versions`;
  if (version !== '1.0.0') await client.send('POST', path, { version, channel });
  const zip = makeZip({
    'composer.json': JSON.stringify({ name: 'acme/forms', description: 'Forms' }),
    'forms.php': `<?php return '${version}';\n`,
  });
  const octets = { 'content-type': 'application/octet-stream' };
  const stored = await client.send('PUT', `${path}/${version}/file`, zip, octets);
  expect(stored.status, stored.text).toBe(200);
}

/** Runs `composer require` in a new project with a code as the password. */
async function requirePackage(code: string, name = 'acme/forms') {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-composer-'));
  folders.push(folder);
  const repository = { type: 'composer', url: `${origin}/updates/composer/${workspaceId}` };
  const project = {
    repositories: [repository, { 'packagist.org': false }],
    config: { 'secure-http': false },
  };
  const credentials = { [new URL(origin).host]: { username: 'buyer', password: code } };
  await writeFile(join(folder, 'composer.json'), JSON.stringify(project));
  await writeFile(join(folder, 'auth.json'), JSON.stringify({ 'http-basic': credentials }));
  const env = {
    ...process.env,
    COMPOSER_HOME: join(folder, 'home'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_PROCESS_TIMEOUT: '600',
  };
  const options = { cwd: folder, env };
  const args = ['require', name, '--no-interaction', '--no-ansi'];
  const result = await promisify(execFile)('composer', args, options).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    ({ code: status, stdout, stderr }) => ({ status: Number(status), output: stdout + stderr }),
  );
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '');
  return {
    ...result,
    installed: await read('vendor/acme/forms/forms.php'),
    lock: await read('composer.lock'),
  };
}

it.skipIf(missing !== undefined && !process.env.CI)(
  `Composer installs the newest stable version with a valid code, and nothing with other codes${
    missing === undefined ? '' : ` (needs ${missing})`
  }`,
  async () => {
    const sold = await given.purchase(workspaceId, itemId);
    const first = await requirePackage(sold.code);
    expect(first.status, first.output).toBe(0);
    expect(first.installed).toContain("'1.1.0'");
    expect(first.lock).toContain(`${origin}/updates/composer/${workspaceId}/dist/${itemId}/1.1.0.zip`);
    expect(first.lock).not.toContain(sold.code);
    const beta = await requirePackage(sold.code, 'acme/forms:@beta');
    expect(beta.installed, beta.output).toContain("'1.2.0'");

    await client.send('POST', `/purchases/${sold.id}/refund`);
    const refunded = await requirePackage(sold.code);
    expect(refunded.status).not.toBe(0);
    expect(refunded).toMatchObject({ installed: '', output: expect.stringContaining('404') });
    const unknown = await requirePackage('00000000-0000-4000-8000-000000000000');
    expect(unknown.status).not.toBe(0);
    expect(unknown).toMatchObject({ installed: '', output: expect.stringContaining('HTTP 401') });
  },
);
