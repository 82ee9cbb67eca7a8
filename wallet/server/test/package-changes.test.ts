// A changed package is known to every process at once.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  announcePackageChange,
  createPackageFinder,
} from '../src/customer-packages/find-package.ts';
import { type Given, givenWallet } from './given.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

it('a suspension reaches two processes as soon as it is committed', async () => {
  const { uid } = await given.package();
  const open = () =>
    createPackageFinder({ db: given.db, databaseUrl: given.config.databaseUrl, onError: () => {} });
  const finders = await Promise.all([open(), open()]);
  for (const finder of finders) expect((await finder.find(uid))?.state).toBe('approved');
  await given.db.transaction(async (tx) => {
    await tx.query(`update packages set state = 'suspended' where uid = $1`, [uid]);
    await announcePackageChange(tx, uid);
  });
  for (const finder of finders) {
    await vi.waitFor(async () => expect((await finder.find(uid))?.state).toBe('suspended'));
    await finder.close();
  }
});
