// GET /.well-known/jwks/{workspace}.json: the public keys of a workspace (RFC 7517).
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { getKeySet, type KeySetDeps, maxAgeSeconds, WorkspaceParam } from './key-set.ts';
import { findCurrentKey, getSigningKeyState, Jwk, presentJwk } from './signing-key.ts';

export function registerKeySetRoute(app: App, deps: KeySetDeps): void {
  const schema = {
    tags: ['Licences'],
    summary: 'The public keys of a workspace as a JWK Set',
    description: 'Verifies licences, revocation lists and signed answers. Needs no API key.',
    params: WorkspaceParam,
    response: { 200: Type.Object({ keys: Type.Array(Jwk) }), '4xx': ErrorAnswer },
  };
  app.get('/.well-known/jwks/:workspace.json', { schema }, async (request, reply) => {
    const { keys } = await getKeySet(deps, request.params.workspace);
    const now = deps.now();
    const current = findCurrentKey(keys, now);
    const isPublic = (key: (typeof keys)[number]) => getSigningKeyState(key, { current, now }) !== 'retired';
    (reply as FastifyReply).header('cache-control', `public, max-age=${maxAgeSeconds}`);
    (reply as FastifyReply).header('access-control-allow-origin', '*');
    return { keys: keys.filter(isPublic).map(presentJwk) };
  });
}
