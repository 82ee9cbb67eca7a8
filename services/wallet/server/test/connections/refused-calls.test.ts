// Bad calls of providers: each gets an error of its dialect, never a 5xx, and moves nothing.
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DialectName,
  dialectNames,
  type ProviderRequest,
} from '../../src/connections/dialects/dialect.ts';
import {
  type DialectDriver,
  type DialectPlayer,
  openDriver,
  signAgain,
} from '../environment/dialect-drivers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;
const drivers = new Map<DialectName, DialectDriver>();

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '100000.00' });
  for (const name of dialectNames) drivers.set(name, await openDriver(given, owner, name));
});

afterAll(() => given.close());

type Expected = Record<DialectName, string>;

/** The code of each dialect for a refusal that has no specific code. */
const invalid: Expected = {
  softswiss: '400',
  hub88: 'RS_ERROR_WRONG_SYNTAX',
  slotegrator: 'INTERNAL_ERROR',
  valkyrie: 'PAM_ERR_UNDEFINED',
};
const wrongTypes: Expected = { ...invalid, hub88: 'RS_ERROR_WRONG_TYPES' };
const forged: Expected = {
  softswiss: '403',
  hub88: 'RS_ERROR_INVALID_SIGNATURE',
  slotegrator: 'INTERNAL_ERROR',
  valkyrie: 'PAM_ERR_API_TOKEN',
};
const wrongCurrency: Expected = {
  softswiss: '154',
  hub88: 'RS_ERROR_WRONG_CURRENCY',
  slotegrator: 'INTERNAL_ERROR',
  valkyrie: 'PAM_ERR_TRANS_CURRENCY',
};
const unknownPlayer: Expected = {
  softswiss: '101',
  hub88: 'RS_ERROR_INVALID_TOKEN',
  slotegrator: 'INTERNAL_ERROR',
  valkyrie: 'PAM_ERR_PLAYER_NOT_FOUND',
};
/** The pattern of the amount 1.00 in a bet, as each dialect writes the amount. */
const amounts: Record<DialectName, RegExp> = {
  softswiss: /(?<="amount":")1\.00(?=")/,
  hub88: /(?<="amount":)100000\b/,
  slotegrator: /(?<=(?:^|&)amount=)1\.00(?=&|$)/,
  valkyrie: /(?<="cashAmount":)1\b/,
};
const withAmount = (amount: string) => (name: DialectName, body: string) =>
  body.replace(amounts[name], amount);
const withText = (before: string, after: string) => (_name: DialectName, body: string) =>
  body.replaceAll(before, after);

describe.each(dialectNames)('calls in the dialect %s', (name) => {
  let player: DialectPlayer;
  let request: ProviderRequest;
  beforeAll(async () => {
    player = await (drivers.get(name) as DialectDriver).player();
    request = player.buildBet({ id: `bad-${name}`, amount: 100, round: `bad-${name}` });
  });

  /**
   * Sends a request that must be refused with the code. The balance is read afterwards, to show that no money
   * moved.
   */
  async function expectRefusal(bad: ProviderRequest, code: string): Promise<void> {
    const answer = await player.send(bad);
    expect([answer.code, answer.ok]).toEqual([code, false]);
    expect(answer.status).toBeLessThan(500);
    expect((await player.balance()).balance).toBe(10_000);
  }

  it.each([
    ['invalid JSON', (_name: DialectName, body: string) => `${body}{`, invalid],
    ['an exponent', withAmount('1e2'), wrongTypes],
    ['an exponent bomb', withAmount('1e1000000000'), wrongTypes],
    ['17 decimals', withAmount('1.00000000000000001'), wrongTypes],
    ['a negative amount', withAmount('-1'), { ...wrongTypes, valkyrie: 'PAM_ERR_NEGATIVE_STAKE' }],
    ['the amount NaN', withAmount('NaN'), invalid],
    ['an amount finer than the package', withAmount('1.001'), wrongTypes],
    ['a currency in lower case', withText('EUR', 'eur'), { ...wrongCurrency, softswiss: '400' }],
    ['a currency that is not the package’s', withText('EUR', 'USD'), wrongCurrency],
    ['a NUL in an id', withText(`bad-`, name === 'slotegrator' ? '%00' : '\\u0000'), invalid],
  ] as const)('a bet with %s is refused', async (reason, spoil, expected) => {
    const body = request.body.toString('utf8');
    const spoilt = spoil(name, body);
    expect(spoilt).not.toBe(body);
    // The requests of Slotegrator are forms. A form cannot be invalid JSON, so an empty form is sent.
    const isForm = name === 'slotegrator' && reason === 'invalid JSON';
    const signed = signAgain(name, request, isForm ? '' : spoilt);
    await expectRefusal(signed, expected[name]);
  });

  it('a bet of zero is refused in softswiss and accepted in other dialects, and moves no money', async () => {
    const zero = signAgain(
      name,
      request,
      withAmount(name === 'softswiss' ? '0.00' : '0')(name, String(request.body)),
    );
    const answer = await player.send(zero);
    expect([answer.ok, answer.code]).toEqual(name === 'softswiss' ? [false, '400'] : [true, '']);
    expect((await player.balance()).balance).toBe(10_000);
  });

  it('a bet of an unknown player is refused', async () => {
    const stranger = player.playerId.replace(/^./, 'z');
    const asStranger = { ...request, path: request.path.replace(player.playerId, stranger) };
    const body = String(request.body).replaceAll(player.playerId, stranger);
    await expectRefusal(signAgain(name, asStranger, body), unknownPlayer[name]);
  });

  const headers: Record<DialectName, string> = {
    softswiss: 'x-request-sign',
    hub88: 'x-hub88-signature',
    slotegrator: 'x-sign',
    valkyrie: 'authorization',
  };

  it('a signature that is missing, altered, or made for a different body is refused', async () => {
    const { [headers[name]]: signature, ...unsigned } = request.headers;
    await expectRefusal({ ...request, headers: unsigned }, forged[name]);
    const wrong = String(signature).replace(/.(?=.{3}$)/, (last) => (last === 'a' ? 'b' : 'a'));
    await expectRefusal(
      { ...request, headers: { ...request.headers, [headers[name]]: wrong } },
      forged[name],
    );
    if (name === 'valkyrie') return;
    const body = Buffer.from(String(request.body).replaceAll('bad-', 'worse-'));
    await expectRefusal({ ...request, body }, forged[name]);
  });

  it('a body over 64 KiB is refused', async () => {
    const filler = name === 'slotegrator' ? `&x=${'x'.repeat(70_000)}` : ' '.repeat(70_000);
    await expectRefusal(signAgain(name, request, `${request.body}${filler}`), invalid[name]);
  });

  it('a wrong method and a wrong path are refused', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const signed = name === 'slotegrator' ? signAgain(name, request, String(request.body)) : request;
      await expectRefusal({ ...signed, method }, invalid[name]);
    }
    const lost = signAgain(name, { ...request, path: `${request.path}/nothing` }, String(request.body));
    await expectRefusal(lost, { ...invalid, softswiss: '404' }[name]);
  });

  it('every answer has a Content-Length and no header that allows cross-origin requests', async () => {
    const signed = signAgain(name, request, String(request.body).replaceAll('EUR', 'USD'));
    for (const each of [signed, { ...signed, headers: {} }]) {
      const answer = await sendRaw(each);
      expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.body));
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  const sendRaw = ({ method, path, query, headers: sent, body }: ProviderRequest, to?: string) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const { port } = given.app.server.address() as AddressInfo;
      const id = to ?? (drivers.get(name) as DialectDriver).connection.id;
      const full = `/providers/${id}${path}${query && `?${query}`}`;
      const options = { port, method, path: full, headers: { ...sent, origin: 'https://evil.example' } };
      const sending = httpRequest(options, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const { statusCode: status = 0, headers: got } = answer;
          resolve({ status, headers: got, body: String(Buffer.concat(parts)) });
        });
      });
      sending.on('error', reject).end(body);
    });

  it('HEAD and OPTIONS requests move no money, and no answer allows cross-origin requests', async () => {
    for (const method of ['HEAD', 'OPTIONS']) {
      const answer = await sendRaw({ ...request, method, body: Buffer.alloc(0) });
      expect(answer.status).toBeLessThan(500);
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    }
    expect((await player.balance()).balance).toBe(10_000);
  });

  it('a connection id with the number of another package gets the answer for an unknown id', async () => {
    const other = await given.package();
    const { id } = (drivers.get(name) as DialectDriver).connection;
    const ids = [id.replace(/^con_\d+x/, `con_${other.id}x`), 'con_1x', 'con_0', 'none'];
    const texts = await Promise.all(
      ids.map(async (each) => {
        const { status, body } = await sendRaw(signAgain(name, request, String(request.body)), each);
        const { request_id: _own, ...rest } = JSON.parse(body);
        return JSON.stringify([status, rest]);
      }),
    );
    expect(texts[0]).toContain('[404,{');
    expect(new Set(texts).size).toBe(1);
  });

  const blocked: Expected = {
    softswiss: '110',
    hub88: 'RS_ERROR_USER_DISABLED',
    slotegrator: 'INTERNAL_ERROR',
    valkyrie: 'PAM_ERR_BET_NOT_ALLOWED',
  };
  const limited: Expected = { ...blocked, softswiss: '105', hub88: 'RS_ERROR_LIMIT_REACHED' };

  it('a bet of a blocked player and a stake above the limit are refused', async () => {
    const one = await (drivers.get(name) as DialectDriver).player();
    const update = async (path: string, change: object) => {
      const payload = { player_id: one.playerId, ...change };
      const answer = await given.app.inject({ method: 'POST', url: path, headers: owner.headers, payload });
      expect(answer.statusCode).toBe(200);
    };
    await update('/api/v1/user/status', { status: 'blocked' });
    const move = { id: `limits-${name}`, amount: 100, round: `limits-${name}` };
    expect(await one.bet(move)).toMatchObject({ ok: false, code: blocked[name] });
    await update('/api/v1/user/status', { status: 'active' });
    const set = `update players set max_stake = 99 where package_id = $1 and player_id = $2`;
    await given.db.query(set, [owner.id, one.playerId]);
    const fresh = await (drivers.get(name) as DialectDriver).player();
    await given.db.query(set, [owner.id, fresh.playerId]);
    expect(await fresh.bet({ ...move, id: `${move.id}-2` })).toMatchObject({
      ok: false,
      code: limited[name],
    });
    expect((await fresh.balance()).balance).toBe(10_000);
  });

  const pausedCodes: Expected = {
    softswiss: '107',
    hub88: 'RS_ERROR_INVALID_PARTNER',
    slotegrator: 'INTERNAL_ERROR',
    valkyrie: 'PAM_ERR_TIMEOUT',
  };

  it('a call to a paused connection gets no 5xx, because a pause is no failure of the wallet', async () => {
    const driver = await openDriver(given, owner, name);
    await given.db.query(
      `update provider_connections set state = 'paused' where package_id = $1 and id = $2`,
      [owner.id, driver.connection.id],
    );
    const one = await driver.player();
    const answer = await one.bet({ id: `paused-${name}`, amount: 100, round: 'paused' });
    expect(answer).toMatchObject({ ok: false, code: pausedCodes[name] });
    expect(answer.status).toBeLessThan(500);
  });

  it('the log names a paused connection, a pending package and a suspended package differently', async () => {
    const refuse = async (reason: string, table: string, state: string) => {
      const other = await given.package({ credit: '1000.00' });
      const driver = await openDriver(given, other, name);
      const one = await driver.player();
      const key = table === 'packages' ? 'id' : 'package_id';
      await given.db.query(`update ${table} set state = $2 where ${key} = $1`, [other.id, state]);
      const answer = await one.bet({ id: `${reason}-${name}`, amount: 100, round: reason });
      expect(answer).toMatchObject({ ok: false, code: pausedCodes[name] });
      const body = answer.body.replaceAll(one.playerId, '');
      return eventually(async () => {
        const sql = 'select code from provider_calls where package_id = $1';
        const { rows } = await given.db.query(sql, [other.id]);
        expect(rows).toHaveLength(1);
        return { body, code: rows[0]?.code };
      });
    };
    const refused = await Promise.all([
      refuse('connection', 'provider_connections', 'paused'),
      refuse('pending', 'packages', 'pending'),
      refuse('suspended', 'packages', 'suspended'),
    ]);
    expect(refused.map(({ code }) => code)).toEqual(['paused', 'package_pending', 'package_suspended']);
    expect(new Set(refused.map(({ body }) => body)).size).toBe(1);
  });

  it('a call from an IP address that the package does not list is refused like a forged call', async () => {
    const careful = await given.package({ credit: '1000.00' });
    const allow = (addresses: string[]) =>
      given.db.query('update packages set callback_addresses = $2 where id = $1', [careful.id, addresses]);
    await allow(['198.51.100.7']);
    const driver = await openDriver(given, careful, name);
    const one = await driver.player();
    const move = { id: `address-${name}`, amount: 100, round: `address-${name}` };
    expect(await one.bet(move)).toMatchObject({ ok: false, code: forged[name] });
    const open = await given.package({ credit: '1000.00' });
    await given.db.query('update packages set callback_addresses = $2 where id = $1', [
      ...[open.id, ['127.0.0.0/8', '::1']],
    ]);
    const allowed = await (await openDriver(given, open, name)).player();
    for (const id of ['a', 'b']) expect(await allowed.bet({ ...move, id })).toMatchObject({ ok: true });
  });

  it('a rollback cannot name a bet of another connection', async () => {
    const other = await openDriver(given, owner, name);
    const mine = await (drivers.get(name) as DialectDriver).player();
    const theirs = await other.player({ playerId: mine.playerId });
    const round = `foreign-${name}`;
    await mine.bet({ id: round, amount: 1000, round });
    await theirs.rollback({ id: `${round}-r`, of: round, round });
    expect((await mine.balance()).balance).toBe(9000);
  });

  const sessionUnknown: Partial<Expected> = {
    hub88: 'RS_ERROR_INVALID_TOKEN',
    valkyrie: 'PAM_ERR_SESSION_NOT_FOUND',
  };

  if (sessionUnknown[name])
    it('a session of another connection is refused as unknown', async () => {
      const other = await openDriver(given, owner, name);
      const theirs = await other.player({ playerId: player.playerId });
      const swap = (text: string) => text.replaceAll(player.session, theirs.session);
      const sent = { ...request, headers: { ...request.headers } };
      if (name === 'valkyrie') sent.headers['x-player-token'] = theirs.session;
      await expectRefusal(signAgain(name, sent, swap(String(request.body))), sessionUnknown[name] ?? '');
    });
});
