// The outcome of a callback is known only after an answer that the wallet's protocol allows.
import { expect, it } from 'vitest';
import { classifyAnswer } from './callback.ts';

it.each([
  [200, '[]'],
  [200, 'null'],
  [200, 'OK'],
  [302, '{}'],
  [408, '{}'],
  [409, '{"retryable":true}'],
  [429, '{}'],
  [500, '{}'],
])('after an answer with the status %d and the body %s, the outcome is unknown', (status, body) => {
  expect(classifyAnswer(status, body).kind).toBe('unknown');
});

it.each([
  [200, '{"data":{"result":"accepted"}}', 'accepted', undefined],
  [422, '{"code":"insufficient_funds"}', 'refused', true],
  [401, '{"code":"key_pair_invalid"}', 'refused', false],
])('an answer with the status %d and the body %s is %s', (status, body, kind, isFinal) => {
  const verdict = classifyAnswer(status, body);
  expect(verdict.kind).toBe(kind);
  if (verdict.kind === 'refused') expect(verdict.isFinal).toBe(isFinal);
});
