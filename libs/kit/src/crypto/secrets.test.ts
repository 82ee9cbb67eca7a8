// A sealed secret can be opened only with its master key and for its row. Secrets are found by their hash and
// compared by content.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { equalsInConstantTime, hashSecret, makeSecret, parseMasterKey, seal, unseal } from './secrets.ts';

const masterKey = parseMasterKey(randomBytes(32).toString('base64'));

describe('sealing', () => {
  it('a sealed text can be opened, and the same text is sealed differently each time', () => {
    const first = seal(masterKey, { plain: 'ck_live_ä', context: 'api_key:1' });
    const second = seal(masterKey, { plain: 'ck_live_ä', context: 'api_key:1' });
    expect(first.equals(second)).toBe(false);
    expect(unseal(masterKey, { sealed: first, context: 'api_key:1' })).toBe('ck_live_ä');
    expect(first.includes('ck_live')).toBe(false);
  });

  it('a sealed text cannot be opened in another row, with another key, or with a changed byte', () => {
    const sealed = seal(masterKey, { plain: 'secret', context: 'api_key:1' });
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => unseal(masterKey, { sealed: changed, context: 'api_key:1' })).toThrow();
    }
    expect(() => unseal(masterKey, { sealed, context: 'api_key:2' })).toThrow();
    const other = parseMasterKey(randomBytes(32).toString('hex'));
    expect(() => unseal(other, { sealed, context: 'api_key:1' })).toThrow();
  });
});

/**
 * Fixed values that an earlier version stored. Never regenerate them: they prove that old databases stay
 * readable.
 */
const stored = {
  masterKey: '0123456789abcdef'.repeat(4),
  sealed: '0126aa6c11d0054bec057cab5d5af4289d2c819677b311179e70822e5e31426878dda82729ea5f',
  hash: 'e109bea62f7c76a92fd156cabfe0db98b95196f32dccd2b3d489d21052dcb9cf',
};

describe('values of earlier versions', () => {
  const key = parseMasterKey(stored.masterKey);

  it('values of an earlier version can still be opened, and still have their stored hash', () => {
    const sealed = Buffer.from(stored.sealed, 'hex');
    expect(unseal(key, { sealed, context: 'api_key:1' })).toBe('ck_live_ä');
    expect(hashSecret(key, 'ck_live_ä').toString('hex')).toBe(stored.hash);
  });

  it('newly sealed texts still consist of version, nonce (12 bytes), tag (16 bytes) and text', () => {
    const sealed = seal(key, { plain: 'ck_live_ä', context: 'api_key:1' });
    expect([sealed[0], sealed.length]).toEqual([1, 1 + 12 + 16 + 'ck_live_ä'.length + 1]);
  });
});

describe('secrets', () => {
  it('secrets consist of their prefix and 256 random bits', () => {
    const secret = makeSecret('gps_');
    expect(secret).toMatch(/^gps_[A-Za-z0-9_-]{43}$/);
    expect(makeSecret('gps_')).not.toBe(secret);
  });

  it('equal secrets have the same hash under one key, and different hashes under different keys', () => {
    const other = parseMasterKey(randomBytes(32).toString('hex'));
    expect(hashSecret(masterKey, 'a').equals(hashSecret(masterKey, 'a'))).toBe(true);
    expect(hashSecret(masterKey, 'a').equals(hashSecret(other, 'a'))).toBe(false);
  });

  it('secrets are compared by content, and secrets of different lengths are unequal', () => {
    expect(equalsInConstantTime(Buffer.from('ab'), Buffer.from('ab'))).toBe(true);
    expect(equalsInConstantTime(Buffer.from('ab'), Buffer.from('ac'))).toBe(false);
    expect(equalsInConstantTime(Buffer.from('ab'), Buffer.from('abc'))).toBe(false);
  });

  it('a separate key is derived from the master key for each purpose', () => {
    const key = masterKey.derive('lookup');
    expect(masterKey.derive('lookup')).toBe(key);
    expect(masterKey.derive('seal').equals(key)).toBe(false);
  });

  it('a master key that is not 32 bytes long is refused', () => {
    expect(() => parseMasterKey('short')).toThrow('32 bytes');
  });
});
