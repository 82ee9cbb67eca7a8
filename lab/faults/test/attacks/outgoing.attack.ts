// Whatever address a caller sends, the services connect only to their database and provider.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { type Dials, watchDials } from './dials.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation, type Schema } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let bait: Server;
let visits = 0;
let dials: Dials;

beforeAll(async () => {
  bait = createServer((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  // A connection counts even if it does not speak HTTP.
  bait.on('connection', () => visits++);
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

/** Each text field that may contain an address, at any depth, one at a time. */
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
] as const)('%s', (_name, open) => {
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

  it('dials nobody at a caller’s word', async () => {
    const operations = listOperations(target.document).filter(({ path }) => !/session/.test(path));
    // The catalogue may be loaded meanwhile, so hosts that were dialled before the attack are allowed.
    const list = { method: 'GET', url: '/healthz', headers: {} };
    await sender.send(list);
    const known = new Set([...dials.dialled, `127.0.0.1:${target.port}`]);
    // The recorder works: it has seen the connections to the database.
    expect(known.size).toBeGreaterThan(1);
    dials.forget();
    let sent = 0;
    let accepted = 0;
    let webhooks = 0;
    for (const [at, address] of addresses().entries()) {
      for (const operation of operations) {
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        for (const part of schema ? fillWith(schema, address) : []) {
          // One address in every field, the others in every fourth field alternately.
          if (at > 0 && (sent + at) % 4 !== 0 && ++sent) continue;
          const answer = await sender.send({
            method: operation.method,
            url: operation.path.replace(/\{(\w+)\}/g, (_all, name) => target.idOf(name, 'own')),
            headers: {
              ...target.letters(operation, 'own').headers,
              'content-type': 'application/json',
            },
            body: complete(operation, target, part),
          });
          sent++;
          if (answer.status < 300) accepted++;
          if (answer.status < 300 && operation.path.endsWith('/webhooks')) webhooks++;
          expect(answer.status, `${operation.title} ${JSON.stringify(part)}`).toBeLessThan(500);
        }
      }
    }
    expect(accepted).toBeGreaterThan(10);
    expect(webhooks).toBeGreaterThan(0);
    expect(visits).toBe(0);
    expect(dials.dialled.filter((each) => !known.has(each))).toEqual([]);
  }, 300_000);

  it('takes a webhook whose name leads inside for what it says, and dials nobody for it', async () => {
    const { port } = bait.address() as AddressInfo;
    const post = async (suffix: string, part: object, id = '') => {
      const operation = listOperations(target.document).find(
        ({ method, path }) =>
          method === 'POST' && path.replace(/^\/panel\/\w+\/\{\w+\}\//, '') === suffix,
      );
      if (!operation) throw new Error(`there is no ${suffix}`);
      const answer = await sender.send({
        method: 'POST',
        url: operation.path.replace(/\{(\w+)\}/g, (_all, name) =>
          name === 'webhook_id' ? id : target.idOf(name, 'own'),
        ),
        headers: {
          ...target.letters(operation, 'own').headers,
          'content-type': 'application/json',
        },
        body: complete(operation, target, part),
      });
      expect(answer.status, answer.text).toBe(200);
      return JSON.parse(answer.text).data;
    };
    await target.renew();
    dials.forget();
    const { endpoint } = await post('webhooks', { url: `https://localhost:${port}/hook` });
    const test = await post('webhooks/{webhook_id}/test', {}, String(endpoint.id));
    expect(test.outcome).toBe('refused');
    // The lookup of the name prevented the connection.
    expect(dials.namesAsked).toEqual(['localhost']);
    expect(dials.dialled.filter((each) => each.endsWith(`:${port}`))).toEqual([]);
    expect(visits).toBe(0);
  });
});
