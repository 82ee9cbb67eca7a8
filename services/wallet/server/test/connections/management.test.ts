// People and programs manage provider connections: access, validation, rotation, pause, test and calls.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderRequest } from '../../src/connections/dialects/dialect.ts';
import { signWalletRequest } from '../../src/connections/dialects/softswiss/signature.ts';
import { signValkyrieRequest } from '../../src/connections/dialects/valkyrie/signature.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type Answer, giveAdministrator, giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let other: GivenPackage;
let send: Record<'owner' | 'member' | 'stranger' | 'administrator' | 'program', Send>;
let base: string;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package();
  other = await given.package();
  send = {
    owner: (await giveMember(given, owner, 'owner')).send,
    member: (await giveMember(given, owner, 'member')).send,
    stranger: (await giveMember(given, other, 'owner')).send,
    administrator: (await giveAdministrator(given)).send,
    program: (await giveProgram(given)).send,
  };
  base = `/panel/packages/${owner.id}/connections`;
});

afterAll(() => given.close());

const token = 'softswiss-token';
const publicKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

const softswiss = { name: 'Aggregator', dialect: 'softswiss', secrets: { token } };
const hub88 = { name: 'Hub', dialect: 'hub88', secrets: { provider_public_key_pem: publicKey } };
const slotegrator = {
  name: 'Slots',
  dialect: 'slotegrator',
  secrets: { merchant_id: 'merchant-1', merchant_key: 'merchant-key-1' },
};
const valkyrie = { name: 'Valkyrie', dialect: 'valkyrie' };

const outcome = ({ status, body }: Answer) => [status, body.code];

async function create(body: object = softswiss) {
  const made = await send.owner('POST', base, body);
  expect(made.text).toContain('"status":"success"');
  return made.body.data as {
    connection: { id: string; url: string; old_until: string | null };
    secrets: Record<string, string>;
  };
}

/** Sends a provider's request as it would arrive over HTTP. */
async function call(id: string, { method, path, query, headers, body }: ProviderRequest) {
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const answer = await given.app.inject({
    method: method as 'POST',
    url: `/providers/${id}${path}${query && `?${query}`}`,
    headers: Object.fromEntries(sent),
    ...(body.length > 0 && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const askBalance = (id: string, playerId: string, key = token) =>
  call(id, signWalletRequest(key, '/balance', { account_id: playerId, currency: 'EUR', game_id: 'dice' }));

describe('a new connection', () => {
  it('a connection is returned with the URL for the provider, and listed without secrets', async () => {
    const wanted = { ...softswiss, game_prefix: 'ss-', currencies: { CUSTOM_WIN: 'EUR' } };
    const { connection, secrets } = await create(wanted);
    expect(connection).toEqual({
      id: expect.stringMatching(new RegExp(`^con_${owner.id}x[0-9a-f]{30}$`)),
      name: 'Aggregator',
      dialect: 'softswiss',
      profile: null,
      state: 'active',
      url: `${given.config.publicUrl}/providers/${connection.id}`,
      game_prefix: 'ss-',
      currencies: { CUSTOM_WIN: 'EUR' },
      upstream_url: null,
      old_until: null,
      created_at: given.clock.now.toISOString(),
    });
    expect(secrets).toEqual({ token });
    const listed = await send.member('GET', base);
    expect(listed.body.data.connections).toContainEqual(connection);
    expect(listed.text).not.toContain(token);
    const player = await given.player(owner, { balance: '5.00' });
    expect(await askBalance(connection.id, player)).toEqual({ status: 200, body: { balance: '5.00' } });
  });

  it('the wallet generates the tokens of a connection if the dialect lets the wallet do so', async () => {
    const { secrets } = await create(valkyrie);
    expect(secrets).toEqual({
      token: expect.stringMatching(/^cps_.{20,}/),
      recon_token: expect.stringMatching(/^cps_.{20,}/),
    });
  });

  it('a new connection shows the public key of a generated key pair, and never the private key', async () => {
    const { secrets } = await create({ ...hub88, profile: 'caleta' });
    expect(secrets).toEqual({
      provider_public_key_pem: publicKey,
      public_key_pem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
    });
    expect(secrets.public_key_pem).not.toBe(publicKey);
  });

  it('programs and administrators may create a connection', async () => {
    const path = `packages/${owner.id}/connections`;
    expect((await send.program('POST', `/admin/v1/${path}`, softswiss)).status).toBe(200);
    expect((await send.administrator('POST', `/panel/admin/${path}`, softswiss)).status).toBe(200);
  });

  it.each([
    ['no name', { dialect: 'valkyrie' }, 'name'],
    ['a blank name', { ...valkyrie, name: '  ' }, 'name'],
    ['a long name', { ...valkyrie, name: 'x'.repeat(129) }, 'name'],
    ['an unknown dialect', { ...valkyrie, dialect: 'morse' }, 'dialect'],
    ['an unknown field', { ...valkyrie, colour: 'red' }, 'colour'],
    ['the profile of another dialect', { ...softswiss, profile: 'caleta' }, 'profile'],
    ['a prefix with a space', { ...valkyrie, game_prefix: 'a b' }, 'game_prefix'],
    ['a malformed code of a currency', { ...valkyrie, currencies: { 'a b': 'EUR' } }, 'currencies'],
    ['no credential of the provider', { ...softswiss, secrets: {} }, 'secrets.token'],
    ['a short credential', { ...softswiss, secrets: { token: 'short' } }, 'secrets.token'],
    ['an unknown credential', { ...softswiss, secrets: { token, salt: 'x' } }, 'secrets.salt'],
    [
      'a credential of another dialect',
      { ...valkyrie, secrets: { merchant_key: 'merchant-key' } },
      'secrets.merchant_key',
    ],
    [
      'a text instead of a key',
      { ...hub88, secrets: { provider_public_key_pem: 'no key at all' } },
      'secrets.provider_public_key_pem',
    ],
    ['a number as a credential', { ...softswiss, secrets: { token: 12345678 } }, 'secrets.token'],
  ])('a connection with %s is refused, and the error names the field', async (_name, body, field) => {
    const before = await send.owner('GET', base);
    const refused = await send.owner('POST', base, body);
    expect(outcome(refused)).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(refused.body.errors)).toEqual([field]);
    expect((await send.owner('GET', base)).body.data).toEqual(before.body.data);
  });

  it.each([
    ['that is not a URL', 'provider', 'must be an address that starts with https://'],
    ['with a query', 'https://a.example/?b=1', 'must not have a query'],
    ['with a password', 'https://a:b@c.example', 'must not contain a user name or a password'],
    ['that is not public', 'https://10.0.0.1', 'must have a public address'],
  ])(
    'an upstream_url %s is refused with the code upstream_url_refused and the reason',
    async (_name, upstream_url, reason) => {
      const { connection } = await create();
      const refused = [
        await send.owner('POST', base, { ...valkyrie, upstream_url }),
        await send.owner('PATCH', `${base}/${connection.id}`, { upstream_url }),
      ];
      for (const each of refused) {
        expect(outcome(each)).toEqual([400, 'upstream_url_refused']);
        expect(each.body).toMatchObject({
          msg: `upstream_url ${reason}`,
          errors: { upstream_url: [`${reason}.`] },
        });
      }
      await send.owner('DELETE', `${base}/${connection.id}`);
    },
  );

  it('a currency that is not the package’s gets the code currency_mismatch and is named in msg', async () => {
    const { connection } = await create();
    const currencies = { X_EUR: 'EUR', X_USD: 'USD' };
    const refused = [
      await send.owner('POST', base, { ...valkyrie, currencies }),
      await send.owner('PATCH', `${base}/${connection.id}`, { currencies }),
    ];
    for (const each of refused) {
      expect(outcome(each)).toEqual([400, 'currency_mismatch']);
      expect(each.body.msg).toBe('currencies.X_USD must be EUR, the currency of the package');
      expect(Object.keys(each.body.errors)).toEqual(['currencies.X_USD']);
    }
    await send.owner('DELETE', `${base}/${connection.id}`);
  });

  it('the error names all refused settings', async () => {
    const body = { ...valkyrie, name: ' ', currencies: { X_USD: 'USD' }, upstream_url: 'provider' };
    const refused = await send.owner('POST', base, body);
    expect(outcome(refused)).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(refused.body.errors).sort()).toEqual(['currencies.X_USD', 'name', 'upstream_url']);
  });

  it('a new connection is refused if the package has 50 connections', async () => {
    const full = await given.package();
    const path = `/admin/v1/packages/${full.id}/connections`;
    await given.db.query(
      `insert into provider_connections (package_id, id, name, dialect, secrets_sealed, created_at)
       select $1, 'con_' || number, 'Many', 'valkyrie', '', $2 from generate_series(1, 50) number`,
      [full.id, given.clock.now],
    );
    expect(outcome(await send.program('POST', path, valkyrie))).toEqual([409, 'too_many_connections']);
  });
});

describe('the routes of one connection', () => {
  const routes: [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest: string, body?: object][] = [
    ['PATCH', '', { name: 'New' }],
    ['POST', '/rotate', { secrets: { token: 'another-token' } }],
    ['POST', '/test', { player_id: 'p' }],
    ['GET', '/calls'],
    ['DELETE', ''],
  ];

  it.each(routes)(
    'the route %s …%s hides the package from strangers, and below /panel/admin it refuses owners',
    async (method, rest, body) => {
      const { connection } = await create();
      const foreign = await send.stranger(method, `${base}/${connection.id}${rest}`, body);
      expect(outcome(foreign)).toEqual([404, 'package_not_found']);
      const admin = await send.owner(method, `/panel/admin/packages/${owner.id}/connections/x${rest}`, body);
      expect(outcome(admin)).toEqual([403, 'forbidden']);
    },
  );

  it.each(routes)(
    'the route %s …%s answers a connection of another package like an unknown connection',
    async (method, rest, body) => {
      const { connection } = await create();
      const unknown = `con_${other.id}x${'0'.repeat(30)}`;
      const path = `/panel/packages/${other.id}/connections`;
      for (const id of [connection.id, unknown, 'con_1', '%00', 'x'.repeat(90)]) {
        const refused = await send.stranger(method, `${path}/${id}${rest}`, body);
        expect(outcome(refused)).toEqual([404, 'connection_not_found']);
      }
    },
  );

  it.each(routes.filter(([method]) => method !== 'GET'))(
    'the route %s …%s is allowed for owners only',
    async (method, rest, body) => {
      const { connection } = await create();
      const refused = await send.member(method, `${base}/${connection.id}${rest}`, body);
      expect(outcome(refused)).toEqual([403, 'forbidden']);
      expect((await send.owner(method, `${base}/${connection.id}${rest}`, body)).status).toBe(200);
    },
  );
});

describe('an edit', () => {
  it('an edit changes the fields that are sent, and records their values before and after', async () => {
    const { connection } = await create();
    const path = `${base}/${connection.id}`;
    const changes = { name: ' Renamed ', game_prefix: 'x-', upstream_url: 'https://api.provider.example' };
    const edited = await send.owner('PATCH', path, changes);
    expect(edited.body.data.connection).toEqual({ ...connection, ...changes, name: 'Renamed' });
    const cleared = await send.owner('PATCH', path, { upstream_url: null });
    expect(cleared.body.data.connection.upstream_url).toBeNull();
    await send.owner('PATCH', path, { name: 'Renamed' });
    const log = await send.owner('GET', `/panel/packages/${owner.id}/audit-log`);
    const own = log.body.data.entries.filter(
      ({ subject }: { subject: { id: string } }) => subject.id === connection.id,
    );
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'connection_edited',
      'connection_edited',
      'connection_created',
    ]);
    expect(own[1].details).toMatchObject({ name: { from: 'Aggregator', to: 'Renamed' } });
    expect(log.text).not.toContain(token);
  });

  it.each([
    [{ dialect: 'hub88' }, 'dialect'],
    [{ secrets: { token: 'another-token' } }, 'secrets'],
    [{ state: 'deleted' }, 'state'],
    [{ name: '' }, 'name'],
  ])('an edit to the values %j is refused', async (changes, field) => {
    const { connection } = await create();
    const refused = await send.owner('PATCH', `${base}/${connection.id}`, changes);
    expect(outcome(refused)).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  });

  it('an edit that pauses or resumes the connection takes effect at once', async () => {
    const { connection } = await create();
    const player = await given.player(owner, { balance: '5.00' });
    expect((await askBalance(connection.id, player)).status).toBe(200);
    const paused = await send.owner('PATCH', `${base}/${connection.id}`, { state: 'paused' });
    expect(paused.body.data.connection.state).toBe('paused');
    expect((await askBalance(connection.id, player)).body.msg).toBe('connection paused');
    await send.owner('PATCH', `${base}/${connection.id}`, { state: 'active' });
    expect((await askBalance(connection.id, player)).status).toBe(200);
  });
});

describe('a rotation', () => {
  const rotate = (id: string, body: object = {}) => send.owner('POST', `${base}/${id}/rotate`, body);
  const fresh = 'the-new-token';

  it('a rotation leaves the old credential valid until the end of the overlap', async () => {
    const { connection } = await create();
    const player = await given.player(owner, { balance: '5.00' });
    const until = new Date(given.clock.now.getTime() + 3_600_000);
    const rotated = await rotate(connection.id, { overlap: '1h', secrets: { token: fresh } });
    expect(rotated.body.data).toEqual({ secrets: { token: fresh }, old_until: until.toISOString() });
    const find = async () =>
      (await send.member('GET', base)).body.data.connections.find(
        ({ id }: { id: string }) => id === connection.id,
      );
    expect((await find()).old_until).toBe(until.toISOString());
    const statuses = async () => [
      (await askBalance(connection.id, player)).status,
      (await askBalance(connection.id, player, fresh)).status,
    ];
    const before = given.clock.now;
    given.clock.now = new Date(until.getTime() - 1);
    expect(await statuses()).toEqual([200, 200]);
    given.clock.now = until;
    expect(await statuses()).toEqual([400, 200]);
    expect((await find()).old_until).toBeNull();
    given.clock.now = before;
  });

  it('a rotation without an overlap ends the old credential at once', async () => {
    const { connection, secrets } = await create(valkyrie);
    const rotated = await rotate(connection.id, { overlap: '0' });
    const request = (bearer: string): ProviderRequest => ({
      method: 'GET',
      path: '/players/nobody/balance',
      query: 'provider=x',
      headers: signValkyrieRequest(bearer, 'gs_none'),
      body: Buffer.alloc(0),
    });
    expect(rotated.body.data.secrets.token).not.toBe(secrets.token);
    const code = async (bearer: string) => (await call(connection.id, request(bearer))).body.error.code;
    expect(await code(secrets.token ?? '')).toBe('PAM_ERR_API_TOKEN');
    expect(await code(rotated.body.data.secrets.token)).not.toBe('PAM_ERR_API_TOKEN');
  });

  it('a rotation during an overlap is refused, unless the rotation itself has an overlap of 0', async () => {
    const { connection } = await create();
    expect((await rotate(connection.id, { secrets: { token: fresh } })).status).toBe(200);
    const again = { secrets: { token: 'a-third-token' } };
    expect(outcome(await rotate(connection.id, again))).toEqual([409, 'overlap_running']);
    expect((await rotate(connection.id, { ...again, overlap: '0' })).status).toBe(200);
  });

  it('a rotation keeps the provider’s credentials, and generates new credentials of the wallet', async () => {
    const { connection, secrets } = await create(hub88);
    const rotated = (await rotate(connection.id)).body.data.secrets;
    expect(Object.keys(rotated)).toEqual(['public_key_pem']);
    expect(rotated.public_key_pem).not.toBe(secrets.public_key_pem);
  });

  it('a rotation does not show a credential that stays the same', async () => {
    const { connection } = await create();
    const rotated = await rotate(connection.id, { overlap: '0', secrets: { casino_id: 'another' } });
    expect(rotated.body.data.secrets).toEqual({ casino_id: 'another' });
    const player = await given.player(owner, { balance: '5.00' });
    expect((await askBalance(connection.id, player)).status).toBe(200);
  });

  it.each([
    ['no new credential', {}, 'secrets.token'],
    ['an unknown overlap', { overlap: '2h', secrets: { token: fresh } }, 'overlap'],
    ['an unknown credential', { secrets: { merchant_id: 'm' } }, 'secrets.merchant_id'],
    ['an unknown field', { secrets: { token: fresh }, name: 'x' }, 'name'],
  ])('a rotation with %s is refused', async (_name, body, field) => {
    const { connection } = await create();
    const refused = await rotate(connection.id, body);
    expect(outcome(refused)).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  });
});

it('a call to a deleted connection gets the same answer as a call to an unknown URL', async () => {
  const { connection } = await create();
  expect((await send.owner('DELETE', `${base}/${connection.id}`)).status).toBe(200);
  expect((await askBalance(connection.id, 'p')).body.code).toBe('route_not_found');
  const again = await send.owner('DELETE', `${base}/${connection.id}`);
  expect(outcome(again)).toEqual([404, 'connection_not_found']);
});

describe('a test call', () => {
  it.each([
    ['softswiss', softswiss, 'POST', '/balance', '{"balance":"7.50"}'],
    ['hub88', hub88, 'POST', '/user/balance', '"status":"RS_OK"'],
    ['caleta', { ...hub88, profile: 'caleta' }, 'POST', '/user/balance', '"status":"RS_OK"'],
    ['slotegrator', slotegrator, 'POST', '/', '"balance":7.5'],
    ['valkyrie', valkyrie, 'GET', '/players/', '"cashAmount":7.5'],
  ])(
    'a test call of %s is signed correctly and answered with the balance',
    async (_name, body, method, path, part) => {
      const { connection, secrets } = await create(body);
      const player_id = await given.player(owner, { balance: '7.50' });
      const { text, body: answered } = await send.owner('POST', `${base}/${connection.id}/test`, {
        player_id,
      });
      const { request, response, meaning } = answered.data;
      expect(request.method).toBe(method);
      expect(request.path).toContain(path);
      expect([response.status, response.body]).toEqual([200, expect.stringContaining(part)]);
      expect(meaning).toMatchObject({
        call: { kind: 'balance', playerId: player_id },
        result: { kind: 'balance', balances: { cash: '750' } },
      });
      for (const [name, secret] of Object.entries(secrets)) {
        if (!name.endsWith('_id')) expect(text).not.toContain(secret);
      }
      const calls = await send.member('GET', `${base}/${connection.id}/calls`);
      expect(calls.body.data.calls).toMatchObject([{ status: 200, player_id, meaning, code: null }]);
    },
  );

  it('a test call names the currency by the provider’s code', async () => {
    const { connection } = await create({ ...softswiss, currencies: { CUSTOM_WIN: 'EUR' } });
    const player_id = await given.player(owner, { balance: '1.00' });
    const tested = await send.owner('POST', `${base}/${connection.id}/test`, { player_id });
    expect(JSON.parse(tested.body.data.request.body).currency).toBe('CUSTOM_WIN');
    expect(tested.body.data.response.status).toBe(200);
  });

  it('a test call reports the refusal of an unknown player and of a paused connection', async () => {
    const { connection } = await create();
    const test = async () =>
      (await send.owner('POST', `${base}/${connection.id}/test`, { player_id: 'nobody' })).body.data;
    expect(await test()).toMatchObject({
      response: { status: 400 },
      meaning: { result: { kind: 'failed', code: 'player_not_found' } },
    });
    await send.owner('PATCH', `${base}/${connection.id}`, { state: 'paused' });
    expect(await test()).toMatchObject({ response: { status: 400 }, meaning: null });
  });

  it('test calls are limited to 20 per minute and package', async () => {
    const busy = await given.package();
    const path = `/admin/v1/packages/${busy.id}/connections`;
    const made = await send.program('POST', path, valkyrie);
    const test = () =>
      send.program('POST', `${path}/${made.body.data.connection.id}/test`, { player_id: 'p' });
    for (let count = 0; count < 20; count++) expect((await test()).status).toBe(200);
    expect(outcome(await test())).toEqual([429, 'rate_limited']);
  });
});

describe('the calls of a connection', () => {
  it('calls are listed newest first, by page or for one transaction, with body and meaning', async () => {
    const { connection } = await create();
    const player = await given.player(owner, { balance: '100.00' });
    const bet = (id: string) =>
      call(
        connection.id,
        signWalletRequest(token, '/betwin', {
          ...{ account_id: player, currency: 'EUR', game_id: 'dice', round_id: 'r-1', auth_token: 'hidden' },
          transactions: [{ id_provider: id, type: 'bet', amount: '1.00' }],
        }),
      );
    for (const id of ['c-1', 'c-2', 'c-3']) await bet(id);
    await call(connection.id, { ...signWalletRequest('wrong', '/betwin', {}) });
    // A test call writes the buffered lines of the log before the call is answered.
    await send.owner('POST', `${base}/${connection.id}/test`, { player_id: player });
    const list = async (query: string) =>
      (await send.member('GET', `${base}/${connection.id}/calls?${query}`)).body.data;
    const first = await list('limit=3');
    expect(first.calls.map(({ operation }: { operation: string }) => operation)).toEqual([
      'POST /balance',
      'POST /betwin',
      'POST /betwin',
    ]);
    expect(first.calls[1]).toMatchObject({ status: 400, code: 'forged', meaning: null });
    const second = await list(`limit=3&cursor=${first.next_cursor}`);
    expect(second.calls).toHaveLength(2);
    expect(second.next_cursor).toBeNull();
    const found = await list('transaction_id=c-2');
    expect(found.calls).toMatchObject([
      {
        transaction_ids: ['c-2'],
        round_id: 'r-1',
        body: expect.stringContaining('"id_provider":"c-2"'),
        meaning: {
          call: { kind: 'play', legs: [{ type: 'bet', amount: '100', transactionId: 'c-2' }] },
          result: { kind: 'played', balances: { cash: '9800' } },
        },
      },
    ]);
    expect(found.calls[0].body).not.toContain('hidden');
    expect((await list('transaction_id=unknown')).calls).toEqual([]);
  });

  it('calls of another connection are not listed', async () => {
    const [one, two] = [await create(), await create()];
    const player_id = await given.player(owner, { balance: '1.00' });
    await send.owner('POST', `${base}/${one.connection.id}/test`, { player_id });
    const listed = await send.owner('GET', `${base}/${two.connection.id}/calls`);
    expect(listed.body.data).toEqual({ calls: [], next_cursor: null });
  });

  it.each(['limit=0', 'limit=101', 'cursor=x', 'transaction_id='])(
    'the query %s for calls is refused',
    async (query) => {
      const { connection } = await create();
      const refused = await send.owner('GET', `${base}/${connection.id}/calls?${query}`);
      expect(outcome(refused)).toEqual([400, 'invalid_parameter']);
    },
  );
});
