// Requests to a connection that fail before the dialect reads them get the error shape of the dialect.

import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/database-unavailable';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { type DialectName, dialectNames } from '../../src/connections/dialects/dialect.ts';
import { type DialectDriver, openDriver, retryable } from '../environment/dialect-drivers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;
const drivers = new Map<DialectName, DialectDriver>();

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000.00' });
  for (const name of dialectNames) drivers.set(name, await openDriver(given, owner, name));
});

afterAll(() => given.close());

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes over a new connection, and reads the answer until the service closes the connection. */
function sendBytes(bytes: string | readonly string[], wallet = given): Promise<Answer> {
  const { port } = wallet.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ head, status: Number(head.split(' ')[1]), body: rest.join('\r\n\r\n') });
    });
    for (const part of [bytes].flat()) socket.write(part);
  });
}

/** Returns the text of a request that closes the connection, so that the end of the answer is known. */
const write = (line: string, headers = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;

const long = (letters: number) => 'a'.repeat(letters);
const chunk = `${(65_536).toString(16)}\r\n${long(65_536)}\r\n`;

/** Bad requests: the name of each case, and a function that builds the request for a URL. */
const badRequests: readonly (readonly [string, (url: string) => string | string[]])[] = [
  ['a body over 64 KiB', (url) => write(`POST ${url}`, 'Content-Length: 70000\r\n', long(70_000))],
  ['a body over 1 MiB', (url) => write(`POST ${url}`, 'Content-Length: 1100000\r\n', long(1_100_000))],
  [
    'a body over 1 MiB without a length',
    (url) => [
      write(`POST ${url}`, 'Transfer-Encoding: chunked\r\n'),
      ...Array.from({ length: 17 }, () => chunk),
    ],
  ],
  ['OPTIONS', (url) => write(`OPTIONS ${url}`)],
  ['TRACE', (url) => write(`TRACE ${url}`)],
  ['a method that the router does not know', (url) => write(`PROPFIND ${url}`)],
  ['a method that the parser does not know', (url) => write(`FROB ${url}`)],
  ['an escape that is cut off', (url) => write(`POST ${url}/%E0%A`)],
  ['an escape that is not UTF-8', (url) => write(`POST ${url}/%ff`)],
  ['a query with an escape that is not UTF-8', (url) => write(`POST ${url}?a=%ff`)],
  ['a path of more than 8 KiB', (url) => write(`POST ${url}/${long(9000)}`)],
  ['a path of more than 32 KiB', (url) => write(`POST ${url}/${long(40_000)}`)],
  ['headers over 32 KiB', (url) => write(`POST ${url}`, `X-Big: ${long(40_000)}\r\n`)],
  ['a header that is not HTTP', (url) => write(`POST ${url}`, 'X Bad\r\n')],
  ['two lengths', (url) => write(`POST ${url}`, 'Content-Length: 1\r\nContent-Length: 2\r\n', 'ab')],
  ['a chunk that is not HTTP', (url) => write(`POST ${url}`, 'Transfer-Encoding: chunked\r\n', 'zz\r\n')],
  ['two Host headers', (url) => write(`POST ${url}`, 'Host: y\r\n')],
  ['no Host header', (url) => `POST ${url} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['an unknown expectation', (url) => write(`POST ${url}`, 'Expect: a-miracle\r\n')],
  [
    'a content type that is not HTTP',
    (url) => write(`POST ${url}`, 'Content-Type: nonsense\r\nContent-Length: 2\r\n', '{}'),
  ],
  ['an absolute URL and OPTIONS', (url) => write(`OPTIONS http://wallet.example${url}`)],
];

const paths: Record<DialectName, string> = {
  softswiss: '/betwin',
  hub88: '/transaction/bet',
  slotegrator: '',
  valkyrie: '/players/session',
};

/** The status and the code of an error answer, as each dialect writes them. */
const readError: Record<DialectName, (answer: Answer) => unknown> = {
  softswiss: ({ status, body }) => [status, JSON.parse(body).code, Number(JSON.parse(body).meta.api_code)],
  hub88: ({ status, body }) => [status, JSON.parse(body).status],
  slotegrator: ({ status, body }) => [status, JSON.parse(body).error_code],
  valkyrie: ({ status, body }) => [status, JSON.parse(body).status, JSON.parse(body).error.code],
};

/**
 * The answers that each dialect may give to a bad request. The requests have no signature. A dialect that
 * checks the signature first gives the second answer, which reports a forged request.
 */
const expected: Record<DialectName, unknown[]> = {
  softswiss: [
    [400, 'invalid_argument', 400],
    [400, 'invalid_argument', 403],
  ],
  hub88: [
    [200, 'RS_ERROR_WRONG_SYNTAX'],
    [200, 'RS_ERROR_INVALID_SIGNATURE'],
  ],
  slotegrator: [[200, 'INTERNAL_ERROR']],
  valkyrie: [
    [400, 'ERROR', 'PAM_ERR_UNDEFINED'],
    [401, 'ERROR', 'PAM_ERR_API_TOKEN'],
  ],
};

const urlOf = (name: DialectName, id = (drivers.get(name) as DialectDriver).connection.id) =>
  `/providers/${id}${paths[name]}`;

describe.each(dialectNames)('bad requests in the dialect %s', (name) => {
  it.each(badRequests)('a request with %s gets an error of the dialect', async (_case, build) => {
    const answer = await sendBytes(build(urlOf(name)));
    expect(expected[name]).toContainEqual(readError[name](answer));
    expect(answer.head.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
    expect(answer.head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(answer.body)}`);
    expect(answer.head.toLowerCase()).not.toContain('access-control');
  });

  it('the log of calls names each request and the reason of its refusal', async () => {
    const { connection } = await openDriver(given, owner, name);
    const url = urlOf(name, connection.id);
    await sendBytes(write(`OPTIONS ${url}`));
    await sendBytes(write(`POST ${url}`, 'Content-Length: 70000\r\n', long(70_000)));
    await sendBytes(write(`POST ${url}/%ff`));
    const path = paths[name] || '/';
    const expectedLines = [
      { operation: `OPTIONS ${path}`, code: 'method_not_allowed' },
      { operation: `POST ${path}`, code: 'too_large' },
      { operation: `POST ${paths[name]}/%ff`, code: 'malformed_request' },
    ];
    await eventually(async () => {
      const { rows } = await given.db.query(
        `select operation, code from provider_calls where package_id = $1 and connection_id = $2 order by id`,
        [owner.id, connection.id],
      );
      expect(rows).toEqual(expectedLines);
    });
  });

  it('while the database is down, bad and good requests get errors in the form of the dialect', async () => {
    let ms = 0;
    const parts = { deps: (each: WalletDeps) => ({ ...each, monotonicMs: () => ms }) };
    const wallet = await givenWallet({}, {}, undefined, parts);
    onTestFinished(wallet.close);
    const driver = await openDriver(wallet, await wallet.package(), name);
    const player = await driver.player();
    expect(await player.balance()).toMatchObject({ ok: true });
    ms = 60_000;
    const query = vi.spyOn(wallet.db, 'query').mockRejectedValue(new DatabaseUnavailableError('down'));
    expect(await player.balance()).toMatchObject({ ok: false, code: retryable[name] });
    const answer = await sendBytes(write(`OPTIONS ${urlOf(name, driver.connection.id)}`), wallet);
    query.mockRestore();
    expect(JSON.stringify(readError[name](answer))).toContain(retryable[name]);
  });
});

describe('an unknown connection', () => {
  it.each(badRequests)('requests with %s get the same 404 for every unknown id', async (_case, build) => {
    const { id } = (drivers.get('hub88') as DialectDriver).connection;
    const unknown = id.replace(/.{4}$/, (end) => (end === '0000' ? '1111' : '0000'));
    const answers = await Promise.all(
      [unknown, 'con_1x', 'none'].map(async (each) => {
        const { status, body } = await sendBytes(build(`/providers/${each}/transaction/bet`));
        const { request_id: _own, ...rest } = JSON.parse(body);
        return JSON.stringify([status, rest]);
      }),
    );
    expect(answers[0]).toContain('[404,{');
    expect(answers[0]).toContain('route_not_found');
    expect(new Set(answers).size).toBe(1);
  });
});

it("a URL that does not belong to a connection answers with the wallet's own errors", async () => {
  const answer = await sendBytes(write('OPTIONS /api/v1/game/callback'));
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([405, 'method_not_allowed']);
});
