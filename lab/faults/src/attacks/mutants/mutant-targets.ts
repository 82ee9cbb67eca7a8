// The sources that are mutated, and the tests that must detect their mutants.

export interface MutantTarget {
  readonly name: 'ledger' | 'idempotency' | 'money' | 'authentication';
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** If true, the tests need their own PostgreSQL. */
  readonly database?: boolean;
}

const ledger = 'services/wallet/server/src/ledger';
const wallet = 'services/wallet/server/src';
const dialects = `${wallet}/connections/dialects`;

/** A target with one source, whose test is in the same folder. */
const withOwnTest = (name: MutantTarget['name'], path: string): MutantTarget => ({
  name,
  sources: [`${path}.ts`],
  tests: [`${path}.test.ts`],
});

/** The results of targets with the same name are added up. */
export const mutantTargets: readonly MutantTarget[] = [
  {
    name: 'ledger',
    sources: [
      'decide',
      'decide-transfer',
      'decide-bet',
      'decide-win',
      'decide-rollback',
      'decide-batch',
      'names',
      'round',
      'state',
      'movement',
    ].map((file) => `${ledger}/rules/${file}.ts`),
    tests: [
      'decide',
      'decide-transfer',
      'decide-bet',
      'decide-win',
      'decide-rollback',
      'decide-rollback-rounds',
      'decide-win-reversal',
      'decide-batch',
      'state',
      'movement',
    ].map((file) => `${ledger}/rules/${file}.test.ts`),
  },
  {
    name: 'idempotency',
    sources: [`${ledger}/engine/apply-batch.ts`],
    tests: [`${ledger}/engine/apply-one-batch.test.ts`, `${ledger}/engine/apply-batch.test.ts`],
  },
  withOwnTest('idempotency', `${wallet}/connections/to-batch`),
  withOwnTest('idempotency', `${ledger}/engine/recent-movements`),
  withOwnTest('idempotency', `${ledger}/engine/repeat-detector`),
  withOwnTest('idempotency', `${ledger}/rules/chain`),
  {
    name: 'money',
    sources: ['libs/kit/src/money.ts', `${wallet}/packages/credit-alert.ts`],
    tests: ['libs/kit/src/money.test.ts', `${wallet}/packages/credit-alert.test.ts`],
  },
  withOwnTest('money', `${dialects}/amounts`),
  ...[
    'libs/kit/src/crypto/secrets',
    'libs/kit/src/crypto/keyed-hash',
    'libs/kit/src/http/throttle',
    'libs/kit/src/http/network',
    'libs/identity/src/second-factor/totp',
    'services/licensing/server/src/authentication/sent-keys',
    `${wallet}/packages/customer-package`,
    `${wallet}/packages/callers/authenticate`,
    `${wallet}/packages/callers/authenticate-from-cache`,
    ...['hub88', 'slotegrator', 'softswiss', 'valkyrie'].map((name) => `${dialects}/${name}/signature`),
  ].map((path) => withOwnTest('authentication', path)),
  { ...withOwnTest('authentication', 'libs/identity/src/sessions/cross-site'), database: true },
];
