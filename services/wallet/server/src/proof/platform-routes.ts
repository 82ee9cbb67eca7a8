// For administrators: every package's ledger with the last proof of it.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, managed } from '../access-policy.ts';
import { listPackages } from '../packages/list-packages.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { listProofs } from './list-proofs.ts';

const Proofs = Type.Object({
  proofs: Type.Array(
    Type.Object({
      package_id: Type.Integer(),
      uid: Type.String(),
      name: Type.String(),
      sandbox: Type.Boolean(),
      last: Type.Union([
        Type.Object({
          finished_at: Type.String({ format: 'date-time' }),
          clean: Type.Boolean(),
          movements: Type.Integer(),
          accounts: Type.Integer(),
          flaws: Type.Integer(),
        }),
        Type.Null(),
      ]),
    }),
  ),
  next_cursor: NextCursor,
});

export function registerProofOverview(app: App, policy: AccessPolicy, { db }: { db: Db }): void {
  if (!policy.isAdmin) return;
  const schema = {
    ...managed(policy, { summary: 'The last proof of every ledger', data: Proofs }),
    querystring: Type.Object(PageQuery),
  };
  app.get(`${policy.prefix}/proofs`, { schema, onRequest: policy.authorize }, async (request) => {
    const page = readPage(request.query, 'packages');
    const any = { state: undefined, search: undefined, sandbox: undefined };
    const packages = await listPackages(db, { ...page, ...any });
    const proofs = await listProofs(
      db,
      packages.map(({ id }) => id),
    );
    return answer(request, {
      proofs: packages.map(({ id, uid, name, sandboxOf }) => {
        const last = proofs.get(id);
        const { clean = false, movements = 0, accounts = 0, flaws = [] } = last?.result ?? {};
        return {
          package_id: id,
          uid,
          name,
          sandbox: sandboxOf !== undefined,
          last: last
            ? {
                finished_at: last.finishedAt.toISOString(),
                ...{ clean, movements, accounts },
                flaws: flaws.length,
              }
            : null,
        };
      }),
      ...presentNext(page, packages, ({ id }) => id),
    });
  });
}
