// What a check of a package's ledger found.

export interface Flaw {
  /** The journal row at fault, where it is one. */
  readonly sequence?: bigint;
  readonly account?: bigint;
  readonly problem: string;
}

export interface Proof {
  readonly packageId: number;
  readonly movements: bigint;
  readonly accounts: number;
  readonly headSequence: bigint;
  readonly headHash: string;
  readonly flaws: readonly Flaw[];
}

/** Enough to see what happened; a rewritten table would otherwise fill the screen. */
export const maxFlaws = 100;

export const isClean = (proof: Proof): boolean => proof.flaws.length === 0;

export function presentProof(proof: Proof) {
  return {
    clean: isClean(proof),
    movements: Number(proof.movements),
    accounts: proof.accounts,
    head: { sequence: Number(proof.headSequence), hash: proof.headHash },
    flaws: proof.flaws.map((flaw) => ({
      ...(flaw.sequence !== undefined && { sequence: Number(flaw.sequence) }),
      ...(flaw.account !== undefined && { account: Number(flaw.account) }),
      problem: flaw.problem,
    })),
  };
}
