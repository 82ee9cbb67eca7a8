// The process that changes a package uses the new state at once. Other processes use the new state after a
// notification.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPackageFinder } from '../../src/packages/callers/find-package.ts';
import { announcePackageChange } from '../../src/packages/lock-package.ts';
import { type Given, givenWallet } from '../environment/given.ts';
import { giveMember } from '../environment/people.ts';

let given: Given;

beforeAll(async () => {
  given = await givenWallet();
});

afterAll(() => given.close());

it('all processes see the suspension of a package after the suspension is committed', async () => {
  const { uid } = await given.package();
  const open = () =>
    createPackageFinder({ db: given.db, directUrl: given.config.directUrl, onError: () => {} });
  const finders = await Promise.all([open(), open()]);
  for (const finder of finders) expect((await finder.find(uid))?.state).toBe('approved');
  await given.db.transaction(async (tx) => {
    await tx.query(`update packages set state = 'suspended' where uid = $1`, [uid]);
    await announcePackageChange(tx, uid);
  });
  for (const finder of finders) {
    await eventually(async () => expect((await finder.find(uid))?.state).toBe('suspended'));
    await finder.close();
  }
});

it('a process caches approved packages at its start, before their first call', async () => {
  const { uid } = await given.package();
  const pending = await given.package({ state: 'pending' });
  const { db, config } = given;
  const finder = await createPackageFinder({ db, directUrl: config.directUrl, onError: () => {} });
  await eventually(() => expect(finder.peek(uid)?.uid).toBe(uid));
  expect(finder.peek(pending.uid)).toBeUndefined();
  await finder.close();
});

it('the process that suspends a package uses the new state at once, without a notification', async () => {
  const { uid } = await given.package();
  const { db, config } = given;
  const finder = await createPackageFinder({
    db,
    directUrl: config.directUrl,
    onError: () => {},
  });
  await finder.close();
  expect((await finder.find(uid))?.state).toBe('approved');
  const watched = finder.watch(db);
  const suspend = async (tx: Tx) => {
    await tx.query(`update packages set state = 'suspended' where uid = $1`, [uid]);
    await announcePackageChange(tx, uid);
  };
  await watched.transaction(suspend);
  expect(finder.peek(uid)).toBeUndefined();
  expect((await finder.find(uid))?.state).toBe('suspended');
});

it('after a rotation without an overlap, the next call with the old pair is refused', async () => {
  const owner = await given.package();
  const { send } = await giveMember(given, owner, 'owner');
  let { headers } = owner;
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    await given.app.inject({ url: '/api/v1/package', headers });
    const path = `/panel/packages/${owner.id}/key-pairs/rotate`;
    const { body } = await send('POST', path, { purpose: 'caller', overlap: '0' });
    const old = await given.app.inject({ url: '/api/v1/package', headers });
    statuses.push(old.statusCode);
    const { api_key: key, api_secret: secret } = body.data.pair;
    headers = { ...headers, 'x-api-key': key, 'x-api-secret': secret };
  }
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 401));
});
