// GET /.well-known/jwks/{workspace}.json: the public keys of a workspace (RFC 7517).
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Id, parseId } from '@counterfoil/kit/http/parameters';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { findCurrentKey, getSigningKeyState, Jwk, presentJwk } from './signing-key.ts';
import type { SigningKeyFinder, SigningKeySet } from './signing-key-finder.ts';

export interface KeySetDeps {
  readonly signingKeys: SigningKeyFinder;
  readonly now: () => Date;
}

/** Clients and proxies may use a key set this long, so a rotation reaches them within this time. */
export const maxAgeSeconds = 300;

export const WorkspaceParam = Type.Object({ workspace: Id });

/** An unknown workspace and a workspace without keys get the same error. */
export async function getKeySet({ signingKeys }: KeySetDeps, workspace: string): Promise<SigningKeySet> {
  const found = await signingKeys.get(parseId(workspace));
  if (!found) throw fail('signing_key_not_found');
  return found;
}

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
