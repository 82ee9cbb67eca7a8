// Which sources are made wrong, which tests must see it, and what may stay unseen and why.

export interface MutantTarget {
  readonly name: 'ledger' | 'idempotency' | 'money' | 'authentication';
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** The tests start on a PostgreSQL of their own. */
  readonly database?: boolean;
}

const ledger = 'wallet/server/src/ledger';
const packages = 'wallet/server/src/customer-packages';

export const mutantTargets: readonly MutantTarget[] = [
  {
    name: 'ledger',
    sources: ['decide', 'decide-transfer', 'decide-bet', 'decide-win', 'decide-rollback'].map(
      (file) => `${ledger}/${file}.ts`,
    ),
    tests: ['decide', 'decide-transfer', 'decide-bet', 'decide-win', 'decide-rollback'].map(
      (file) => `${ledger}/${file}.test.ts`,
    ),
  },
  {
    name: 'idempotency',
    sources: [`${ledger}/fold-batch.ts`, `${ledger}/recent-movements.ts`, `${ledger}/chain.ts`],
    tests: ['fold-batch', 'recent-movements', 'chain', 'decide-transfer'].map(
      (file) => `${ledger}/${file}.test.ts`,
    ),
  },
  {
    name: 'money',
    sources: ['kit/src/money.ts', `${packages}/credit.ts`],
    tests: ['kit/src/money.test.ts', `${packages}/credit.test.ts`],
  },
  {
    name: 'authentication',
    sources: [
      'kit/src/secrets.ts',
      'kit/src/keyed-hash.ts',
      'kit/src/throttle.ts',
      'kit/src/network.ts',
      'kit/src/sign-in/totp.ts',
      'kit/src/sign-in/cross-site.ts',
      'licensing/server/src/api-keys/sent-keys.ts',
      `${packages}/customer-package.ts`,
    ],
    tests: [
      'kit/src/secrets.test.ts',
      'kit/src/keyed-hash.test.ts',
      'kit/src/throttle.test.ts',
      'kit/src/network.test.ts',
      'kit/src/sign-in/totp.test.ts',
      'licensing/server/src/api-keys/sent-keys.test.ts',
      `${packages}/customer-package.test.ts`,
      `${packages}/domain.test.ts`,
    ],
  },
  {
    name: 'authentication',
    sources: [`${packages}/authenticate.ts`, `${packages}/recognise.ts`],
    tests: ['credential-mixtures', 'spoofed-places'].map(
      (file) => `faults/test/attacks/${file}.test.ts`,
    ),
    database: true,
  },
];

/**
 * Changes that change nothing: by file and the text that is changed, each with its reason. They are
 * left out of the count.
 */
export const equivalents: readonly (readonly [file: string, before: RegExp, why: string])[] = [
  [
    'kit/src/money.ts',
    /^(?:typeof amount === 'number'|minor !== undefined|amount \* power|minor >= 0|minor \/ power|0)$/,
    'a short cut for numbers; what it does not take, the text decides the same',
  ],
  [
    'kit/src/money.ts',
    /^minor >= 0 && minor < 1e15 && minor \/ power === amount$/,
    'the same short cut, not taken',
  ],
  ['kit/src/money.ts', /^(?:minor < 0n|0n)$/, 'the sign of nothing is turned, or not'],
  ['kit/src/money.ts', /^10$/, 'no currency has one decimal'],
  [
    'kit/src/money.ts',
    /^!Number\.isSafeInteger/,
    'no balance is that large; both ways agree below',
  ],
];
