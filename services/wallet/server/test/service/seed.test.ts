// Every demo ledger has a clean proof, and the approved demo packages have rounds.
import { createPersonWithPassword } from '@counterfoil/identity/members/people';
import { cheapHasher } from '@counterfoil/identity/testing/cheap-hasher';
import { findDemoCredentials, markAsDemo } from '@counterfoil/kit/postgres/service-facts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { type DemoCredentials, readDemoCredentials } from '../../src/seed/demo-connections.ts';
import { seedDemo } from '../../src/seed/seed.ts';
import { type Given, givenWallet } from '../environment/given.ts';

let given: Given;
let packages: { uid: string; state: string; api_key: string; api_secret: string }[];

beforeAll(async () => {
  given = await givenWallet();
  await seedDemo(given.db, given.config.masterKey);
  await seedDemo(given.db, given.config.masterKey);
  const found = await findDemoCredentials(given.db, given.config.masterKey);
  packages = (found as unknown as { packages: typeof packages }).packages;
});

afterAll(() => given.close());

it('the demo is created only once, and the proof of every demo ledger is clean', async () => {
  const { rows } = await given.db.query<{ id: number }>('select id from packages order by id');
  expect(rows).toHaveLength(packages.length);
  for (const { id } of rows) expect((await verifyLedger(given.db, id)).flaws).toEqual([]);
});

it('the approved demo packages have rounds, and the balance of a demo player is exact', async () => {
  const [first] = packages;
  const headers = {
    'x-uid': first?.uid,
    'x-api-key': first?.api_key,
    'x-api-secret': first?.api_secret,
  };
  const balance = await given.app.inject({
    url: '/api/v1/user/balance?player_id=player-1',
    headers,
  });
  expect(balance.json().data.balance).toBe(379.57);
  const round = await given.app.inject({ url: '/api/v1/round?round_id=demo-round-1', headers });
  expect(round.json().data).toMatchObject({ state: 'closed', bet_total: 2, win_total: 3 });
  const { rows } = await given.db.query('select distinct package_id from rounds');
  const approved = packages.filter(({ state }) => state === 'approved');
  expect(rows).toHaveLength(approved.length);
});

const publicUrl = 'https://wallet.example';
const read = async (from: Given) => {
  const found = await readDemoCredentials(from.db, from.config.masterKey, publicUrl);
  return found as NonNullable<typeof found>;
};

const secret = expect.stringMatching(/^cps_[\w-]{43}$/);

it('the demo has one connection per dialect, with the credentials that a provider needs', async () => {
  const { connections } = await read(given);
  const first = packages[0]?.uid;
  const last = packages.at(-1)?.uid;
  const common = { id: expect.stringMatching(/^con_\d+x[0-9a-f]{30}$/), url: expect.any(String) };
  expect(connections).toEqual([
    { ...common, package_uid: first, dialect: 'softswiss', token: secret },
    {
      ...{ ...common, package_uid: first, dialect: 'slotegrator' },
      ...{ merchant_id: 'demo-merchant', merchant_key: secret },
    },
    { ...common, package_uid: last, dialect: 'valkyrie', token: secret, recon_token: secret },
    {
      ...{ ...common, package_uid: last, dialect: 'hub88' },
      private_key_pem: expect.stringContaining('BEGIN PRIVATE KEY'),
    },
  ]);
  for (const { id, url } of connections) expect(url).toBe(`${publicUrl}/providers/${id}`);
});

it('the last demo package has 5 decimals and the same players and credit as the first package', async () => {
  const { rows } = await given.db.query<{ package_id: number; players: string; credit: bigint }>(
    `select p.package_id, string_agg(p.player_id, ',' order by p.player_id) as players,
       (select balance from accounts a where a.package_id = p.package_id and a.id = 1) as credit
     from players p group by 1 order by 1`,
  );
  const [first] = rows;
  expect(rows.at(-1)).toMatchObject({ players: first?.players, credit: (first?.credit ?? 0n) * 1000n });
});

it('a deleted demo connection is not in the credentials, and is not created again', async () => {
  const other = await givenWallet();
  onTestFinished(() => other.close());
  await seedDemo(other.db, other.config.masterKey);
  await other.db.query(`delete from provider_connections where dialect = 'valkyrie'`);
  await seedDemo(other.db, other.config.masterKey);
  const { connections } = await read(other);
  expect(connections.map(({ dialect }) => dialect)).toEqual(['softswiss', 'slotegrator', 'hub88']);
});

it('a demo of version 0.1 keeps its credentials and gets the new package and connections', async () => {
  const other = await givenWallet();
  onTestFinished(() => other.close());
  const { db, config } = other;
  const { masterKey } = config;
  const own = await other.package({ credit: '100.00' });
  const admin = { email: 'admin@counterfoil.example', password: 'kept' };
  const before = { admin, packages: [{ uid: own.uid, name: 'Aurora Play' }] };
  await db.transaction(async (tx) => {
    await markAsDemo(tx, masterKey, before);
    const person = { email: 'ops@halcyon.example', name: 'Someone', password: 'correct horse battery' };
    await createPersonWithPassword(tx, { ...person, passwords: cheapHasher });
  });
  await Promise.all([seedDemo(db, masterKey), seedDemo(db, masterKey)]);
  const stored = (await findDemoCredentials(db, masterKey)) as DemoCredentials;
  expect(stored.admin).toEqual(admin);
  expect(stored.packages).toEqual([before.packages[0], expect.objectContaining({ name: 'Halcyon Casino' })]);
  const { connections } = await read(other);
  const last = stored.packages[1]?.uid;
  expect(connections.map(({ package_uid: uid }) => uid)).toEqual([own.uid, own.uid, last, last]);
});

it('a database that has packages but is not the demo stays unchanged', async () => {
  const other = await givenWallet();
  onTestFinished(() => other.close());
  await other.package();
  await seedDemo(other.db, other.config.masterKey);
  expect(await readDemoCredentials(other.db, other.config.masterKey, publicUrl)).toBeUndefined();
  const { rows } = await other.db.query('select id from packages');
  expect(rows).toHaveLength(1);
});
