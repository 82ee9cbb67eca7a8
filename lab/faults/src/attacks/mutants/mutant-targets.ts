// Which sources are made wrong, and which tests must see it.

export interface MutantTarget {
  readonly name: 'ledger' | 'idempotency' | 'money' | 'authentication';
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** The tests start on a PostgreSQL of their own. */
  readonly database?: boolean;
}

const ledger = 'services/wallet/server/src/ledger';
const packages = 'services/wallet/server/src/customer-packages';

/** A source by the tests beside it. */
const testedBeside = (name: MutantTarget['name'], path: string): MutantTarget => ({
  name,
  sources: [`${path}.ts`],
  tests: [`${path}.test.ts`],
});

/** Of one name there may be several; they count together. */
export const mutantTargets: readonly MutantTarget[] = [
  {
    name: 'ledger',
    sources: ['decide', 'decide-transfer', 'decide-bet', 'decide-win', 'decide-rollback'].map(
      (file) => `${ledger}/${file}.ts`,
    ),
    tests: [
      'decide',
      'decide-transfer',
      'decide-bet',
      'decide-win',
      'decide-rollback',
      'decide-rollback-rounds',
    ].map((file) => `${ledger}/${file}.test.ts`),
  },
  {
    name: 'idempotency',
    sources: [`${ledger}/fold-batch.ts`],
    tests: [`${ledger}/fold-one-batch.test.ts`, `${ledger}/fold-batch.test.ts`],
  },
  testedBeside('idempotency', `${ledger}/recent-movements`),
  testedBeside('idempotency', `${ledger}/chain`),
  {
    name: 'money',
    sources: ['libs/kit/src/money.ts', `${packages}/credit.ts`],
    tests: ['libs/kit/src/money.test.ts', `${packages}/credit.test.ts`],
  },
  ...[
    'libs/kit/src/secrets',
    'libs/kit/src/keyed-hash',
    'libs/kit/src/throttle',
    'libs/kit/src/network',
    'libs/kit/src/sign-in/totp',
    'services/licensing/server/src/api-keys/sent-keys',
    `${packages}/customer-package`,
    `${packages}/authenticate`,
    `${packages}/recognise`,
  ].map((path) => testedBeside('authentication', path)),
  { ...testedBeside('authentication', 'libs/kit/src/sign-in/cross-site'), database: true },
];
