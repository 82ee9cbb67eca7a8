// A nonce is accepted once per connection, and is remembered until at least 50,000 others followed it.
import { expect, it } from 'vitest';
import { createNonceStore } from './nonces.ts';

it('a nonce is accepted once', () => {
  const nonces = createNonceStore();
  expect(nonces.accept('con_1', 'a')).toBe(true);
  expect(nonces.accept('con_1', 'a')).toBe(false);
  expect(nonces.accept('con_1', 'b')).toBe(true);
});

it('two connections may use the same nonce', () => {
  const nonces = createNonceStore();
  expect(nonces.accept('con_1', 'a')).toBe(true);
  expect(nonces.accept('con_2', 'a')).toBe(true);
});

it('a nonce is refused at least until 50,000 others followed it, and is forgotten some time later', () => {
  const nonces = createNonceStore();
  const acceptOthers = (from: number, to: number) => {
    for (let i = from; i < to; i++) nonces.accept('con_1', `other-${i}`);
  };
  acceptOthers(0, 49_999);
  // The last nonce of the first 50,000, which are dropped when the next 50,000 are complete.
  expect(nonces.accept('con_1', 'a')).toBe(true);
  acceptOthers(49_999, 99_998);
  expect(nonces.accept('con_1', 'a')).toBe(false);
  expect(nonces.accept('con_1', 'other-0')).toBe(false);
  acceptOthers(99_998, 99_999);
  expect(nonces.accept('con_1', 'a')).toBe(true);
});
