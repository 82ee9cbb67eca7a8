// Every process applies a change of a key when it is notified, or within 5 s if the notification is lost.
import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect, it } from 'vitest';
import { announceApiKeyChange, createApiKeyFinder } from '../../src/authentication/find-api-key.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();

const openFinder = (clock: { ms?: number } = {}) =>
  createApiKeyFinder({
    db: given.db,
    directUrl: given.config.directUrl,
    masterKey: given.config.masterKey,
    onError: () => {},
    monotonicMs: () => clock.ms ?? performance.now(),
  });

async function revoke(secret: string, announce: boolean): Promise<void> {
  const hash = hashSecret(given.config.masterKey, secret);
  await given.db.transaction(async (tx) => {
    await tx.query('update api_keys set revoked_at = now() where key_hash = $1', [hash]);
    if (announce) await announceApiKeyChange(tx, hash);
  });
}

it('the notification of a revocation reaches two processes', async () => {
  const secret = await given.apiKey(await given.workspace());
  // The clock is stopped, so the cached keys do not expire.
  const stopped = { ms: 0 };
  const finders = await Promise.all([openFinder(stopped), openFinder(stopped)]);
  for (const finder of finders) expect((await finder.find(secret))?.revokedAt).toBeUndefined();
  await revoke(secret, true);
  for (const finder of finders) {
    await eventually(async () => expect((await finder.find(secret))?.revokedAt).toBeDefined());
    await finder.close();
  }
});

it('a revocation takes effect within 5 s even if its notification is lost', async () => {
  const secret = await given.apiKey(await given.workspace());
  const clock = { ms: 0 };
  const finder = await openFinder(clock);
  await finder.find(secret);
  await revoke(secret, false);
  expect((await finder.find(secret))?.revokedAt, 'the notification is lost').toBeUndefined();
  clock.ms += 4500;
  expect((await finder.find(secret))?.revokedAt).toBeDefined();
  await finder.close();
});
