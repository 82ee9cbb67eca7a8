// The keyed hash equals HMAC-SHA-256 for every text.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyedHash } from './keyed-hash.ts';

it('the keyed hash equals createHmac for any key and any sequence of texts', () => {
  const key = fc.uint8Array({ minLength: 0, maxLength: 64 });
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 700 }), { minLength: 1 });
  fc.assert(
    fc.property(key, texts, (bytes, each) => {
      const keyed = createKeyedHash(Buffer.from(bytes));
      for (const text of each) {
        expect(keyed(text)).toBe(createHmac('sha256', bytes).update(text, 'utf8').digest('hex'));
      }
    }),
    { numRuns: 300 },
  );
});

it.each([0, 1, 32, 63, 64])(
  'the keyed hash equals createHmac for texts near the length limits, with a key of %i bytes',
  (bytes) => {
    const key = Buffer.alloc(bytes, 0xa5);
    const keyed = createKeyedHash(key);
    // The hash has a buffer of 1,024 bytes for the text. Most of these lengths are near the limits of that
    // buffer.
    const lengths = [0, 1, 255, 256, 257, 340, 341, 342, 343, 512, 1023, 1024, 1025, 4000];
    for (const text of ['a', 'ä', '€', '😀'].flatMap((one) => lengths.map((n) => one.repeat(n)))) {
      expect(keyed(text)).toBe(createHmac('sha256', key).update(text, 'utf8').digest('hex'));
    }
  },
);

it('the keyed hash refuses a key longer than a block, because HMAC would have to hash the key first', () => {
  expect(() => createKeyedHash(Buffer.alloc(65))).toThrow('longer than a block');
});
