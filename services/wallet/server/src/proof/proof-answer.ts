// A package's proof as answers show it: how far one is, and what the last one found.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

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
