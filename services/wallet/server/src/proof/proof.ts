// The result of a check of a package's ledger, and how answers show it.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

export interface Flaw {
  /** The sequence of the journal row with the flaw; undefined if the flaw is not in a row. */
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

/**
 * The maximum number of flaws that are reported, because a rewritten table would have a flaw in every row.
 */
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

export const ProofAnswer = named(
  'Proof',
  Type.Object({
    running: Nullable(Type.Object({ movements: Type.Integer(), of: Type.Integer() })),
    last: Nullable(
      Type.Object({
        finished_at: Type.String({ format: 'date-time' }),
        clean: Type.Boolean(),
        movements: Type.Integer(),
        accounts: Type.Integer(),
        head: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
        flaws: Type.Array(
          Type.Object({
            sequence: Type.Optional(Type.Integer()),
            account: Type.Optional(Type.Integer()),
            problem: Type.String(),
          }),
        ),
      }),
    ),
  }),
);
