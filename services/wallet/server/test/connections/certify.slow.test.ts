// `counterfoil providers certify` passes this wallet in every dialect, and names each bug of a broken wallet.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCases } from '../../src/certify/cases/cases.ts';
import { type DialectName, dialectNames } from '../../src/connections/dialects/dialect.ts';
import {
  type CertifiedSecrets,
  certifySmallWallet,
  certifyThisWallet,
  stakeOf,
} from '../environment/certify.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { listBugs } from '../environment/small-wallets/bugs.ts';
import { readBooks } from '../ledger/model/journal.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '100000.00' });
});

afterAll(() => given.close());

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const merchant = { merchant_id: 'merchant', merchant_key: 'merchant-key' };
const hub88: CertifiedSecrets = {
  ours: { provider_public_key_pem: publicKey },
  theirs: { private_key_pem: privateKey },
};

describe.each<[DialectName, string, CertifiedSecrets]>([
  ['softswiss', '', { ours: { token: 'a-token' }, theirs: { token: 'a-token' } }],
  ['hub88', '', hub88],
  ['hub88', 'caleta', hub88],
  ['slotegrator', '', { ours: merchant, theirs: merchant }],
  [
    'valkyrie',
    '',
    {
      ours: { token: 'pam-token', recon_token: 'a-recon-token-of-at-least-32-letters' },
      theirs: { token: 'pam-token' },
    },
  ],
])('certifying this wallet in the dialect %s with the profile “%s”', (dialect, profile, secrets) => {
  it('this wallet passes every case, and the player has the same balance afterwards', async () => {
    const { report, balance, refused, code } = await certifyThisWallet(given, owner, {
      dialect,
      profile,
      secrets,
    });
    expect(report.cases.filter(({ verdict }: { verdict: string }) => verdict === 'failed')).toEqual([]);
    expect([code, refused, balance]).toEqual([0, '', 100]);
    expect(report).toMatchObject({ dialect, failed: 0, skipped: 1, taken: report.paid });
    expect(report).toMatchObject({ balance_before: '100.00', balance_after: '100.00' });
    expect(report.passed).toBeGreaterThan(25);
    expect((await readBooks(given.db, owner.id)).brokenLinks).toEqual([]);
  });
});

describe.each<DialectName>(['hub88', 'slotegrator', 'valkyrie'])(
  'certifying another wallet in the dialect %s',
  (dialect) => {
    it('a wallet without a bug passes every case', async () => {
      expect((await certifySmallWallet({ dialect })).failures).toEqual([]);
      expect((await certifySmallWallet({ dialect, maxStake: 5000n })).failures).toEqual([]);
    });

    it.each(listBugs(dialect))(
      'a wallet that %s fails exactly the cases that this bug breaks',
      async (bug, failed) => {
        const { failures } = await certifySmallWallet({ dialect, bug, maxStake: stakeOf(bug) });
        expect(failures.map(({ id }) => id)).toEqual(failed);
      },
    );
  },
);

it('a wallet without a bug passes every case in the dialect hub88 with the profile caleta', async () => {
  const terms = { dialect: 'hub88', profile: 'caleta' } as const;
  expect((await certifySmallWallet(terms)).failures).toEqual([]);
  expect((await certifySmallWallet({ ...terms, maxStake: 5000n })).failures).toEqual([]);
});

/**
 * Cases for which no bug is planted. A wallet that fails `bet-and-win` would fail nearly all cases.
 * `unknown-field` always passes, because the parsers of the dialects ignore unknown fields.
 */
const withoutBug = ['bet-and-win', 'unknown-field'];

it.each(dialectNames)(
  'every case of the dialect %s finds a planted bug, except for two general cases',
  (dialect) => {
    const found = new Set(listBugs(dialect).flatMap(([, cases]) => cases));
    const others = listCases(dialect).filter(({ id }) => !found.has(id));
    expect(others.map(({ id }) => id)).toEqual(withoutBug);
  },
);
