// Shows and starts the proof of a package's ledger, and lists the last proofs of all ledgers.

import { answer, Nullable } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute, platformRoute } from '../access-policy.ts';
import { listPackages } from '../packages/queries.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { ProofAnswer } from './proof.ts';
import { listProofs, type StoredProof } from './queries.ts';
import type { Prover } from './run-proof.ts';

export function registerProofManagement(app: App, policy: AccessPolicy, deps: { prover: Prover }): void {
  const show = async (request: FastifyRequest) => {
    const { running, last } = await deps.prover.find(getHome(request).packageId);
    return answer(request, {
      running: running ?? null,
      last: last ? { finished_at: last.finishedAt.toISOString(), ...last.result } : null,
    });
  };
  const path = `${policy.packagePath}/proof`;
  const shown = { role: 'member', data: ProofAnswer } as const;
  const read = packageRoute(policy, { ...shown, summary: "The last proof of a package's ledger" });
  app.get(path, read, show);
  const start = packageRoute(policy, { ...shown, summary: "Start a proof of a package's ledger" });
  app.post(path, start, async (request) => {
    await deps.prover.start(getHome(request).packageId);
    return show(request);
  });
}

const Proofs = Type.Object({
  proofs: Type.Array(
    Type.Object({
      package_id: Type.Integer(),
      uid: Type.String(),
      name: Type.String(),
      sandbox: Type.Boolean(),
      last: Nullable(
        Type.Object({
          finished_at: Type.String({ format: 'date-time' }),
          clean: Type.Boolean(),
          movements: Type.Integer(),
          accounts: Type.Integer(),
          flaws: Type.Integer(),
        }),
      ),
    }),
  ),
  next_cursor: NextCursor,
});

function presentLast(proof: StoredProof | undefined) {
  if (!proof) return null;
  const { clean, movements, accounts, flaws } = proof.result;
  const finished_at = proof.finishedAt.toISOString();
  return { finished_at, clean, movements, accounts, flaws: flaws.length };
}

export function registerProofOverview(app: App, policy: AccessPolicy, { db }: { db: Db }): void {
  if (!policy.isAdmin) return;
  const querystring = Type.Object(PageQuery);
  const shown = { summary: 'The last proof of every ledger', data: Proofs };
  app.get(`${policy.prefix}/proofs`, platformRoute(policy, shown, { querystring }), async (request) => {
    const page = readPage(request.query, 'packages');
    const packages = await listPackages(db, page);
    const ids = packages.map(({ id }) => id);
    const proofs = await listProofs(db, ids);
    return answer(request, {
      proofs: packages.map(({ id, uid, name, sandboxOf }) => ({
        package_id: id,
        uid,
        name,
        sandbox: sandboxOf !== undefined,
        last: presentLast(proofs.get(id)),
      })),
      ...presentNext(page, packages, ({ id }) => id),
    });
  });
}
