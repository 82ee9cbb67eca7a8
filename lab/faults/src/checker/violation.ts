// The invariants that the checker demands after every fault, and the type of a violation.

export const invariants = {
  I1: 'every acknowledged order is stored once, with its amounts',
  I2: 'no order is stored that was not sent',
  I3: 'a refused order stays refused',
  I4: 'every unknown outcome is resolved by its id, twice with the same answer',
  I5: 'balances equal the journal, sum to zero, are never negative; sequences have no gaps',
  I6: 'a read shows no balance older than an earlier answer, and no balance that is not yet written',
  I7: 'no call exceeds its deadline; memory, files and sessions return to their initial level',
  I8: 'every movement and every refusal follows the rules',
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
