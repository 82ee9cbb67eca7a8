// The ids of codes never change, because issued licences and revocation lists contain them.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeCodeId } from './licence.ts';

it('the id of a code is the start of the SHA-256 of a fixed text and the hash of the code', () => {
  const codeHash = createHash('sha256').update('a code').digest();
  const digest = createHash('sha256').update('licence').update(codeHash).digest();
  expect(makeCodeId(codeHash)).toBe(digest.subarray(0, 16).toString('base64url'));
});
