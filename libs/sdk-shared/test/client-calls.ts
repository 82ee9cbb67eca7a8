// Time limits of a client under test, and the error of a failed call.
import { expect } from 'vitest';
import { CounterfoilError } from '../src/counterfoil-error.ts';

/** Even a slow machine does not reach these time limits. */
export const patient = { timeoutMs: 600_000, deadlineMs: 600_000 } as const;

/** Asserts that the call fails with a CounterfoilError. */
export async function failureOf(call: Promise<unknown>): Promise<CounterfoilError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CounterfoilError);
  return error as CounterfoilError;
}
