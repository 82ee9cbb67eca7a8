// Time limits for a client under test, and a function that returns the error of a failed call.
import { expect } from 'vitest';
import { CounterfoilError } from '../src/counterfoil-error.ts';

/** Time limits that are not reached even on a slow machine. */
export const patient = { timeoutMs: 600_000, deadlineMs: 600_000 } as const;

/** Asserts that the call fails with a CounterfoilError, and returns the error. */
export async function failureOf(call: Promise<unknown>): Promise<CounterfoilError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CounterfoilError);
  return error as CounterfoilError;
}
