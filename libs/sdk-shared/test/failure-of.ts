// What a call of a client fails with; that it fails, and by an error of ours, is part of the test.
import { expect } from 'vitest';
import { CounterfoilError } from '../src/counterfoil-error.ts';

export async function failureOf(call: Promise<unknown>): Promise<CounterfoilError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CounterfoilError);
  return error as CounterfoilError;
}
