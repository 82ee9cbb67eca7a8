// The proof of one package's ledger, for the panel: start one, see how far it is, read the last.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../access-policy.ts';
import { ProofAnswer } from './proof-answer.ts';
import type { Prover } from './run-proof.ts';

export function registerProofManagement(
  app: App,
  policy: AccessPolicy,
  deps: { prover: Prover },
): void {
  const show = async (request: FastifyRequest) => {
    const { running, last } = await deps.prover.find(getHome(request).packageId);
    return answer(request, {
      running: running ?? null,
      last: last ? { finished_at: last.finishedAt.toISOString(), ...last.result } : null,
    });
  };
  const path = `${policy.packagePath}/proof`;
  const params = Type.Object(PackageParams);
  const onRequest = policy.authorizeFor({ role: 'member' });
  const read = managed(policy, {
    summary: "The last proof of a package's ledger",
    data: ProofAnswer,
  });
  app.get(path, { schema: { ...read, params }, onRequest }, show);
  const start = managed(policy, { summary: "Prove a package's ledger anew", data: ProofAnswer });
  app.post(path, { schema: { ...start, params }, onRequest }, async (request) => {
    await deps.prover.start(getHome(request).packageId);
    return show(request);
  });
}
