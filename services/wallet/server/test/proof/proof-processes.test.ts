// While one process proves a package, all processes report the progress. No process starts a second proof.
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProver } from '../../src/proof/run-proof.ts';
import { type Given, givenWallet } from '../environment/given.ts';

let given: Given;
const { logger } = captureLog('wallet');

beforeAll(async () => {
  given = await givenWallet();
});
afterAll(() => given.close());

it('another process reports the progress of a proof, and does not start a second proof', async () => {
  const owner = await given.package();
  const now = () => given.clock.now;
  let proofs = 0;
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** A database whose transactions wait until `release` is called. */
  const slow = {
    ...given.db,
    transaction: async <T>(work: Parameters<typeof given.db.transaction<T>>[0]) => {
      proofs++;
      await blocked;
      return given.db.transaction(work);
    },
  };
  const [one, other] = [0, 1].map(() => createProver({ db: slow, logger, now }));
  await one?.start(owner.id);
  await eventually(() => expect(proofs).toBe(1));
  expect((await other?.find(owner.id))?.running).toEqual({ movements: 0, of: expect.any(Number) });
  await other?.start(owner.id);
  release();
  await eventually(async () => {
    const state = await other?.find(owner.id);
    expect(state).toMatchObject({ running: undefined, last: { result: { clean: true } } });
  });
  expect(proofs).toBe(1);
});

it('after the claim of a dead process has expired, another process can start the proof', async () => {
  const owner = await given.package();
  await given.db.query(
    'insert into proofs_under_way (package_id, movements, total, until) values ($1, 5, 9, $2)',
    [owner.id, given.clock.now],
  );
  const prover = createProver({ db: given.db, logger, now: () => given.clock.now });
  expect((await prover.find(owner.id)).running).toBeUndefined();
  await prover.start(owner.id);
  await eventually(async () => expect((await prover.find(owner.id)).last).toBeDefined());
});
