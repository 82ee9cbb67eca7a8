// Third-party tools read the OpenAPI documents, and the clients that they generate call the services.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../services/licensing/server/src/authentication/api-key.ts';
import {
  givenLicensing,
  type Given as Licensing,
} from '../../services/licensing/server/test/environment/given.ts';
import { givenWallet, type Given as Wallet } from '../../services/wallet/server/test/environment/given.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const generated = join(here, 'generated');
const documentOf = (service: string) => join(here, `../../services/${service}/server/reference/openapi.json`);

/** Runs a program of an installed npm package. */
async function run(program: string, ...args: string[]): Promise<string> {
  const file = join(here, 'node_modules', program);
  const options = { cwd: here, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], options);
  return stdout;
}

let licensing: Licensing;
let wallet: Wallet;
let licensingUrl: string;
let walletUrl: string;

beforeAll(async () => {
  await mkdir(generated, { recursive: true });
  licensing = await givenLicensing();
  wallet = await givenWallet();
  licensingUrl = await licensing.app.listen({ host: '127.0.0.1', port: 0 });
  walletUrl = await wallet.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await licensing?.close();
  await wallet?.close();
});

describe('generated clients', () => {
  it('generated clients compile, and call the services with named types', async () => {
    for (const service of ['licensing', 'wallet']) {
      const types = join(generated, `${service}.ts`);
      await run('openapi-typescript/bin/cli.js', documentOf(service), '-o', types);
      const client = ['-p', documentOf(service), '-o', generated, '-n', `${service}-api.ts`];
      await run('swagger-typescript-api/dist/cli.mjs', 'generate', ...client);
    }
    const compiled = join(generated, 'out');
    const strict = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
    await run('typescript/bin/tsc', ...strict, '--types', 'node', '--outDir', compiled, 'typed-calls.ts');

    const workspaceId = await licensing.workspace();
    const itemId = await licensing.item(workspaceId, { name: 'Paperlane' });
    const { code } = await licensing.purchase(workspaceId, itemId);
    const owner = await wallet.package({ credit: '100.00' });
    const player = await wallet.player(owner, { playerId: 'ada' });
    const services = {
      licensing: {
        baseUrl: licensingUrl,
        key: await licensing.apiKey(workspaceId),
        code,
      },
      wallet: { baseUrl: walletUrl, headers: owner.headers, player },
    };
    const printed = await run('../generated/out/typed-calls.js', JSON.stringify(services));
    expect(JSON.parse(printed)).toEqual({
      types: { item: 'Paperlane', balance: 2.5 },
      client: { item: 'Paperlane', items: 1, balance: 1.5, players: ['ada'] },
    });
  });
});

interface NewmanAnswer {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly error?: string;
  readonly text: string;
}

/** Imports a document as Postman does, and sends every request of the collection once. */
async function runCollection(
  service: string,
  given: { variables: Record<string, string>; headers?: Record<string, string> },
): Promise<NewmanAnswer[]> {
  const collection = join(generated, `${service}.postman.json`);
  const options = 'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false';
  const source = ['-s', documentOf(service), '-o', collection, '-O', options];
  await run('openapi-to-postmanv2/bin/openapi2postmanv2.js', ...source);
  const { variables, headers = {} } = given;
  return JSON.parse(await run('../run-newman.mjs', JSON.stringify({ collection, variables, headers })));
}

/** Panel operations need a person's session, which a collection does not have. */
const isPanel = ({ path }: NewmanAnswer) => path.startsWith('/panel/');
const describeAnswer = ({ method, path, status, error, text }: NewmanAnswer) =>
  `${method} ${path}: ${status ?? error} ${text}`;
/**
 * Whether the answer means an invalid request, wrong or insufficient credentials, or a failure other than
 * `upstream_unavailable`. A 404 is not a fault, because ids in examples may be unknown.
 */
const isFault = ({ status = 0, text }: NewmanAnswer) =>
  status < 200 ||
  [400, 401, 405, 415].includes(status) ||
  (status >= 500 && !text.includes('"upstream_unavailable"')) ||
  /"(?:origin_not_allowed|address_not_allowed|insufficient_scope)"/.test(text);

describe('an imported Postman collection', () => {
  it('the licensing service accepts the requests of an unchanged collection as valid', async () => {
    const workspaceId = await licensing.workspace();
    const variables = {
      baseUrl: licensingUrl,
      apiKey: await licensing.apiKey(workspaceId, { scopes: allScopes }),
    };
    const answers = await runCollection('licensing', { variables });
    expect(answers.length).toBeGreaterThan(100);
    const faults = answers.filter((each) => !isPanel(each) && isFault(each));
    expect(faults.map(describeAnswer)).toEqual([]);
  });

  it('the wallet service accepts the requests of a collection as valid', async () => {
    const owner = await wallet.package({ credit: '100.00' });
    const variables = { baseUrl: walletUrl, apiKey: owner.uid };
    const { 'x-api-key': key = '', 'x-api-secret': secret = '' } = owner.headers;
    const headers = { 'X-API-KEY': key, 'X-API-SECRET': secret };
    const answers = await runCollection('wallet', { variables, headers });
    const published = answers.filter(({ path }) => path.startsWith('/api/v1/'));
    expect(published.length).toBeGreaterThan(10);
    expect(published.filter(isFault).map(describeAnswer)).toEqual([]);
  });
});
