// The error of a failed call. Asserts that the call fails with a CounterfoilError.
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
