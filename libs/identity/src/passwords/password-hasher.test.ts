// The password hasher uses argon2id with OWASP's parameters, and limits the number of running and waiting
// calls.
import { parseOptions } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswordHasher, unmatchableHash } from './password-hasher.ts';

const overloaded = () => new Error('overloaded');

describe('createPasswordHasher', () => {
  it('argon2id hashes have the same cost settings for a known and for an unknown e-mail', async () => {
    const hasher = createPasswordHasher({ overloaded });
    const encoded = await hasher.hash('correct horse battery');
    expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(unmatchableHash)).toEqual(parseOptions(encoded));
    expect(await hasher.verify(encoded, 'correct horse battery')).toBe(true);
    expect(await hasher.verify(encoded, 'correct horse batterz')).toBe(false);
    expect(await hasher.verify(unmatchableHash, 'correct horse battery')).toBe(false);
  });

  it('the password hasher accepts composed and decomposed letters as the same password', async () => {
    const hasher = createPasswordHasher({ overloaded });
    const encoded = await hasher.hash('cafe\u0301 au lait');
    expect(await hasher.verify(encoded, 'caf\u00e9 au lait')).toBe(true);
  });

  it('the password hasher refuses calls while too many calls wait, and accepts later calls', async () => {
    const hasher = createPasswordHasher({ overloaded, concurrency: 1, maxWaiting: 3 });
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () => hasher.verify(unmatchableHash, 'x')),
    );
    expect(all.map((each) => each.status === 'fulfilled')).toEqual([
      ...Array(4).fill(true),
      ...Array(6).fill(false),
    ]);
    expect(await hasher.verify(unmatchableHash, 'x')).toBe(false);
  });

  it('the password hasher verifies the next password after a hash that cannot be parsed', async () => {
    const hasher = createPasswordHasher({ overloaded, concurrency: 1 });
    await expect(hasher.verify('no hash', 'x')).rejects.toThrow();
    expect(await hasher.verify(unmatchableHash, 'x')).toBe(false);
  });
});
