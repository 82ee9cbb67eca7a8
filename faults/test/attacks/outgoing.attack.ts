// Whatever address a caller hands us, the services connect to nobody but their database and provider.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillMarks } from './arbitraries.ts';
import { openLicensingTarget } from './licensing-target.ts';
import { listOperations, type Operation, type Schema } from './operations.ts';
import { openSender, type Sender } from './send.ts';
import type { Target } from './target.ts';
import { openWalletTarget } from './wallet-target.ts';

let bait: Server;
let visits = 0;
let dialled: string[] = [];
const connect = Socket.prototype.connect;

beforeAll(async () => {
  bait = createServer((_request, response) => {
    visits++;
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const [first] = given.flat() as { host?: string; port?: number; path?: string }[];
    dialled.push(`${first?.host ?? first?.path}:${first?.port ?? ''}`);
    return Reflect.apply(connect, this, given);
  } as typeof connect;
});
afterAll(async () => {
  Socket.prototype.connect = connect;
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
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:25/_x',
  ];
};

/** Every text field that may be an address, however deep it stands, one at a time. */
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
  const rest = names.map((name) => [
    name,
    target.known.has(name) ? `@@${name}.own@@` : (required[name] ?? 'x'),
  ]);
  const text = JSON.stringify({ ...Object.fromEntries(rest), ...(part as object) });
  return Buffer.from(fillMarks(text, target.tell));
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
    // The catalogue may be asked for again meanwhile; who is dialled before any address counts.
    const list = { method: 'GET', url: '/healthz', headers: {} };
    await sender.send(list);
    const usual = new Set([...dialled, `127.0.0.1:${target.port}`]);
    // The database is dialled like everybody: what watches sees.
    expect(usual.size).toBeGreaterThan(1);
    dialled = [];
    let sent = 0;
    let accepted = 0;
    for (const [at, address] of addresses().entries()) {
      for (const operation of operations) {
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        for (const part of schema ? fillWith(schema, address) : []) {
          // One address at every place, the others at every fourth in turn: each place meets some.
          if (at > 0 && (sent + at) % 4 !== 0 && ++sent) continue;
          const answer = await sender.send({
            method: operation.method,
            url: operation.path.replace(/\{(\w+)\}/g, (_all, name) => target.tell(name, 'own')),
            headers: {
              ...target.letters(operation, 'own').headers,
              'content-type': 'application/json',
            },
            body: complete(operation, target, part),
          });
          sent++;
          if (answer.status < 300) accepted++;
          expect(answer.status, `${operation.title} ${JSON.stringify(part)}`).toBeLessThan(500);
        }
      }
    }
    expect(accepted).toBeGreaterThan(10);
    expect(visits).toBe(0);
    expect(dialled.filter((each) => !usual.has(each))).toEqual([]);
  }, 300_000);
});
