// Sends URLs in every text field. The services must connect only to their database and provider.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { type Dials, watchDials } from './dials.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { getPost, listOperations, type Operation, type Schema } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import { makeJsonRequest, type Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let bait: Server;
let connections = 0;
let dials: Dials;

beforeAll(async () => {
  bait = createServer((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  // Counts every connection, even if it does not use HTTP.
  bait.on('connection', () => connections++);
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
  dials = watchDials();
});
afterAll(async () => {
  dials.stop();
  bait.closeAllConnections();
  await new Promise((resolve) => bait.close(resolve));
});

const addresses = () => {
  const { port } = bait.address() as AddressInfo;
  return [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://127.0.0.1.nip.io:${port}/`,
    `https://test.example@127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:25/_x',
  ];
};

/** Yields one body per text field, at any depth, with the address in that field. */
function* fillWith(schema: Schema, address: string): Generator<unknown> {
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    if (each.type === 'object') {
      for (const inner of fillWith(each, address)) yield { [name]: inner };
    } else if (each.type === 'array' && each.items?.type === 'string') yield { [name]: [address] };
    else if (JSON.stringify(each).includes('"string"')) yield { [name]: address };
  }
}

const required: Record<string, unknown> = {
  name: 'n',
  kind: 'image',
  currency: 'EUR',
  email: 'a@test.example',
  role: 'member',
  game_id: 'a',
  action: 'bet',
  status: 'active',
  type: 'credit',
  amount: 1,
  version: '9.0.0',
};

function complete(operation: Operation, target: Target, part: unknown): Buffer {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const names = (schema?.required ?? []).filter((name) => !(name in (part as object)));
  const rest = names.map((name) => {
    const offered = schema?.properties?.[name]?.items?.enum;
    if (offered) return [name, offered.slice(0, 1)];
    return [name, target.known.has(name) ? `@@${name}.own@@` : (required[name] ?? 'x')];
  });
  const text = JSON.stringify({ ...Object.fromEntries(rest), ...(part as object) });
  return Buffer.from(fillMarks(text, target.idOf));
}

describe.each([
  ['licensing', openLicensingTarget],
  ['wallet', openWalletTarget],
] as const)('the service %s', (_name, open) => {
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

  it('the service connects to no address that a caller sends', async () => {
    const operations = listOperations(target.document).filter(({ path }) => !/session/.test(path));
    // Allows hosts to which the service connected before the attack, because the service may load its
    // catalogue again.
    await sender.send({ method: 'GET', url: '/healthz', headers: {} });
    const known = new Set([...dials.dialled, `127.0.0.1:${target.port}`]);
    // The set always contains the service's own address. A second address, such as the database, proves that
    // connections are recorded.
    expect(known.size).toBeGreaterThan(1);
    dials.clear();
    let sent = 0;
    let accepted = 0;
    let webhooks = 0;
    for (const [at, address] of addresses().entries()) {
      for (const operation of operations) {
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        for (const part of schema ? fillWith(schema, address) : []) {
          // Sends the first address in every field and each other address in every fourth field.
          if (at > 0 && (sent + at) % 4 !== 0 && ++sent) continue;
          const body = complete(operation, target, part);
          const answer = await sender.send(makeJsonRequest(target, operation, body));
          sent++;
          if (answer.status < 300) accepted++;
          if (answer.status < 300 && operation.path.endsWith('/webhooks')) webhooks++;
          expect(answer.status, `${operation.title} ${JSON.stringify(part)}`).toBeLessThan(500);
        }
      }
    }
    expect(accepted).toBeGreaterThan(10);
    expect(webhooks).toBeGreaterThan(0);
    expect(connections).toBe(0);
    expect(dials.dialled.filter((each) => !known.has(each))).toEqual([]);
  }, 300_000);

  it('the service accepts a webhook with an internal host name, but does not connect to it', async () => {
    const { port } = bait.address() as AddressInfo;
    const post = async (suffix: string, part: object, id = '') => {
      const found = getPost(target.document, suffix);
      const operation = { ...found, path: found.path.replace('{webhook_id}', id) };
      const body = complete(operation, target, part);
      const answer = await sender.send(makeJsonRequest(target, operation, body));
      expect(answer.status, answer.text).toBe(200);
      return JSON.parse(answer.text).data;
    };
    await target.renew();
    dials.clear();
    const { endpoint } = await post('webhooks', { url: `https://localhost:${port}/hook` });
    const test = await post('webhooks/{webhook_id}/test', {}, String(endpoint.id));
    expect(test.outcome).toBe('refused');
    // The address was refused during the name lookup, so no connection was made.
    expect(dials.namesAsked).toEqual(['localhost']);
    expect(dials.dialled.filter((each) => each.endsWith(`:${port}`))).toEqual([]);
    expect(connections).toBe(0);
  });
});
