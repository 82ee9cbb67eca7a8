// The proof of every demo ledger is clean, and approved demo packages have rounds.
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
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

it('the demo data are created only once, and the proof of every ledger is clean', async () => {
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
