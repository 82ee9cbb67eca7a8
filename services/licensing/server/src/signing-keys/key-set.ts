// The public keys of a workspace: where they are published, and how long clients may use them.
import { Id, parseId } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { SigningKeyFinder, SigningKeySet } from './signing-key-finder.ts';

export interface KeySetDeps {
  readonly signingKeys: SigningKeyFinder;
  readonly now: () => Date;
}

/** Clients and proxies may cache a key set for this time, so a rotation reaches them within this time. */
export const maxAgeSeconds = 300;

export const WorkspaceParam = Type.Object({ workspace: Id });

/** An unknown workspace and a workspace without keys get the same error. */
export async function getKeySet({ signingKeys }: KeySetDeps, workspace: string): Promise<SigningKeySet> {
  const found = await signingKeys.get(parseId(workspace));
  if (!found) throw fail('signing_key_not_found');
  return found;
}

/** The public addresses of the key set and of the revocation list of a workspace. */
export const makeLicenceUrls = (publicUrl: string, workspaceId: bigint) => ({
  jwks_url: `${publicUrl}/.well-known/jwks/${workspaceId}.json`,
  revocations_url: `${publicUrl}/.well-known/revocations/${workspaceId}.jwt`,
});
