// The invariants that the checker demands after every fault, and the type of a violation.

export const invariants = {
  I1: 'everything acknowledged is there once, with its amounts',
  I2: 'nothing is there that was not sent',
  I3: 'what was refused stays refused',
  I4: 'every unknown outcome is told by its id, twice the same',
  I5: 'balances equal the journal, sum to zero, are never negative; sequences have no gaps',
  I6: 'reads never go back, and show nothing before it was',
  I7: 'no call outlives its deadline; queues and memory return to what they were',
  I8: 'money goes where the rules send it, and no order is refused that they do not refuse',
  A: 'every failure is answered as promised: 503 with Retry-After, never another 5xx',
} as const;

export type Invariant = keyof typeof invariants;

export interface Violation {
  readonly invariant: Invariant;
  readonly detail: string;
}

export const violation = (invariant: Invariant, detail: string): Violation => ({
  invariant,
  detail,
});
