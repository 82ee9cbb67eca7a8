// POST /api/v1/licences, called by software on buyers' hosts, and the public revocation list.
import { Answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { exactlyOne } from '@counterfoil/kit/http/openapi/forms';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { CodeAndTarget, guards } from '../activations/activation-request.ts';
import { apiKeySecurity } from '../authentication/authenticate.ts';
import { fail } from '../errors.ts';
import { getKeySet, maxAgeSeconds, WorkspaceParam } from '../signing-keys/key-set.ts';
import { NonceHeader } from '../signing-keys/sign-answers.ts';
import { answerLicence, type LicenceDeps } from './answer-licence.ts';
import { type RevocationFinder, signRevocations } from './revocation-list.ts';

export interface LicenceRoutesDeps extends LicenceDeps {
  readonly revocations: RevocationFinder;
}

export function registerLicenceRoutes(app: App, deps: LicenceRoutesDeps): void {
  registerIssue(app, deps);
  registerRevocations(app, deps);
}

function registerIssue(app: App, deps: LicenceDeps): void {
  const data = Type.Object({
    licence: Type.String({ description: 'A compact JWS, signed with Ed25519. Store it on the host.' }),
    expires_at: Type.String({ format: 'date-time', description: 'Get a new licence before this time.' }),
    grace_until: Type.String({ format: 'date-time', description: 'Clients accept the licence until then.' }),
    jwks_url: Type.String({ description: 'The address of the public keys that verify the licence.' }),
    revocations_url: Type.String({ description: 'The address of the signed revocation list.' }),
  });
  const schema = {
    tags: ['Licences'],
    summary: 'Issue a licence that a host can verify without a call',
    description:
      'Activates the host or machine, so the limits of activations apply. Safe to repeat: a host that is ' +
      'active gets a new licence and no second seat.',
    security: apiKeySecurity,
    headers: NonceHeader,
    body: shownWith(Type.Object(CodeAndTarget), exactlyOne(['domain', 'machine_id'])),
    response: { 200: Answer(data), '4xx': ErrorAnswer },
  };
  app.post('/api/v1/licences', { schema, ...guards(deps) }, async (request, reply) => {
    const text = await answerLicence(deps, request, request.body);
    return (reply as FastifyReply).type('application/json; charset=utf-8').send(text);
  });
}

function registerRevocations(app: App, deps: LicenceRoutesDeps): void {
  const schema = {
    tags: ['Licences'],
    summary: 'The signed list of revoked licences',
    description:
      'A compact JWS with the `code_id` of refunded, cancelled, disputed, blocked and replaced codes. ' +
      'Needs no API key.',
    params: WorkspaceParam,
    produces: ['application/jwt'],
    response: { 200: Type.String({ description: 'A compact JWS.' }), '4xx': ErrorAnswer },
  };
  app.get('/.well-known/revocations/:workspace.jwt', { schema }, async (request, reply) => {
    const { workspace } = request.params;
    const now = deps.now();
    const signer = (await getKeySet(deps, workspace)).findSigner(now);
    const found = await deps.revocations.get(BigInt(workspace));
    if (!signer || !found) throw fail('signing_key_not_found');
    return (reply as FastifyReply)
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .header('access-control-allow-origin', '*')
      .type('application/jwt')
      .send(signRevocations(signer, found, deps.publicUrl, now));
  });
}
