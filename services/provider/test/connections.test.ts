// The control API stores connections and lists them without secrets. Rounds of a package use the connection
// that was chosen for the package.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionEntries } from './connection-entries.ts';
import {
  ask,
  control,
  givenPlayer,
  makeFolder,
  onRed,
  settled,
  startProvider,
  startWallet,
  uid,
} from './given.ts';

const url = 'https://wallet.example/providers/con_1';

const add = (provider: { url: string }, entry: object) => control(provider, 'connections', entry, 'POST');
const choose = (provider: { url: string }, choice: object, of = uid) =>
  control(provider, `protocols/${of}`, choice);

describe('the control API', () => {
  it('the control API lists connections without secrets; a private file stores the connections', async () => {
    const provider = await startProvider();
    for (const entry of Object.values(connectionEntries)) {
      expect((await add(provider, entry(url))).status).toBe(200);
    }
    await choose(provider, { connection: 'con_softswiss', calls: 'one' });
    const { body } = await control(provider, 'connections');
    const listed = (dialect: string, calls: string | null) => ({
      ...{ id: `con_${dialect}`, package_uid: uid, dialect, url, calls },
    });
    const expected = [
      listed('softswiss', 'one'),
      ...['slotegrator', 'valkyrie', 'hub88'].map((each) => listed(each, null)),
    ];
    expect(body).toEqual({ connections: expected });
    const file = join(provider.dataDir, 'connections.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const next = await startProvider({ dataDir: provider.dataDir });
    expect((await control(next, 'connections')).body).toEqual({ connections: expected });
    expect(await readFile(file, 'utf8')).toContain('soft-token');
  });

  it('the control API replaces a connection that has the same id', async () => {
    const provider = await startProvider();
    await add(provider, connectionEntries.softswiss(url));
    const { body } = await add(provider, connectionEntries.softswiss('https://other.example/'));
    expect(body).toMatchObject({ connections: [{ url: 'https://other.example' }] });
  });

  it.each<[string, object, string]>([
    ['no token', { token: undefined }, 'token'],
    ['a text that is not a URL', { url: 'https://[' }, 'url'],
    ['a URL that is not http or https', { url: 'file:///etc/passwd' }, 'url'],
    ['an unknown dialect', { dialect: 'esperanto' }, 'dialect'],
    ['a token that no header can contain', { token: 'a b' }, 'token'],
    ['a text that is not a private key', { dialect: 'hub88', private_key_pem: 'none' }, 'private_key_pem'],
  ])('the control API refuses a connection with %s', async (_name, change, field) => {
    const provider = await startProvider();
    const { status, body } = await add(provider, { ...connectionEntries.softswiss(url), ...change });
    expect([status, body]).toMatchObject([400, { code: 'invalid_parameter' }]);
    expect((body as { errors: object }).errors).toHaveProperty(field);
    expect((await control(provider, 'connections')).body).toEqual({ connections: [] });
  });

  it('the API refuses another package’s connection, a combined Hub88 call and a missing token', async () => {
    const provider = await startProvider();
    await add(provider, connectionEntries.hub88(url));
    const other = await choose(provider, { connection: 'con_hub88' }, 'UID_other');
    expect([other.status, other.body]).toMatchObject([404, { code: 'connection_not_found' }]);
    expect((await choose(provider, { connection: 'con_none' })).status).toBe(404);
    const oneCall = await choose(provider, { connection: 'con_hub88', calls: 'one' });
    expect([oneCall.status, oneCall.body]).toMatchObject([400, { errors: { calls: expect.anything() } }]);
    expect((await ask(`${provider.url}/control/connections`)).status).toBe(401);
  });
});

describe('rounds', () => {
  it('rounds use the protocol that was chosen last, including the wallet’s own protocol', async () => {
    const { wallet, provider, player } = await givenPlayer();
    await add(provider, connectionEntries.softswiss(wallet.url.replace('/api/v1/game/callback', '/p')));
    await choose(provider, { connection: 'con_softswiss' });
    expect((await player.spin(onRed)).status).toBe(200);
    const paths = wallet.received.map(({ path }) => path);
    expect([paths[0], paths.at(-1)]).toEqual(['/p/betwin', '/p/finish']);
    await choose(provider, { connection: null });
    await player.spin({ ...onRed, round: 2 });
    expect(wallet.received.at(-1)?.path).toBe('/api/v1/game/callback');
    const { deliveries } = (await control(provider, 'deliveries')).body as {
      deliveries: { protocol: string }[];
    };
    expect(new Set(deliveries.map(({ protocol }) => protocol))).toEqual(new Set(['own', 'softswiss']));
  });

  it('rounds that a killed process left open are rolled back in the protocol of their bet', async () => {
    const wallet = await startWallet();
    const dataDir = await makeFolder();
    const first = await startProvider({ dataDir });
    await add(first, connectionEntries.softswiss(wallet.url.replace('/api/v1/game/callback', '/p')));
    await first.app.close();
    const body = {
      ...{ action: 'bet', player_id: 'p-1', session_id: 'gs_1', game_id: 'moon-harvest', currency: 'EUR' },
      ...{ round_id: 'round-1', transaction_id: 'bet-1', amount: 1, round_finished: false },
    };
    const entry = { id: '1', uid, connection: 'con_softswiss', body, attempts: 0 };
    await writeFile(join(dataDir, 'outbox.json'), JSON.stringify({ 1: entry }));
    const next = await startProvider({ dataDir });
    await settled(next);
    expect(wallet.received.map(({ path, body: sent }) => [path, sent.transactions])).toEqual([
      ['/p/rollback', [{ id_provider: 'bet-1-rollback', type: 'rollback', original_id_provider: 'bet-1' }]],
    ]);
  });
});
