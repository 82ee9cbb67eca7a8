// Answers a request for a licence from the router or from the fast path.
import { answer } from '@counterfoil/kit/http/answers';
import type { FastifyRequest } from 'fastify';
import { readTarget } from '../activations/activation.ts';
import { type ActivationDeps, findPurchase } from '../activations/activation-request.ts';
import { type KeySetDeps, makeLicenceUrls } from '../signing-keys/key-set.ts';
import { type IssueDeps, issueLicence } from './issue-licence.ts';

export interface LicenceDeps extends ActivationDeps, IssueDeps, KeySetDeps {
  readonly masterKey: IssueDeps['masterKey'];
  readonly now: () => Date;
}

/** The properties of a request that the answer needs. `subject` is set for the request log. */
export type LicenceRequest = Pick<FastifyRequest, 'id' | 'apiKey' | 'seller' | 'ip' | 'subject'>;

/** The fields of a request, in the form that the schema of the route allows. */
export interface LicenceFields {
  readonly purchase_code: string;
  readonly item_id?: number;
  readonly domain?: string;
  readonly machine_id?: string;
}

const presentSecond = (second: number) => `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;

/** Issues a licence, and returns the answer as JSON text. */
export async function answerLicence(
  deps: LicenceDeps,
  request: LicenceRequest,
  given: LicenceFields,
): Promise<string> {
  const target = readTarget(given);
  const { purchase, codeHash: hash, caller, onChange } = await findPurchase(deps, request, given);
  const { supportEnabled } = request.seller;
  const codeHash = Buffer.from(hash, 'hex');
  const wanted = { caller, purchase, codeHash, target, supportEnabled, now: deps.now(), onChange };
  const { licence, claims } = await issueLicence(deps, wanted);
  return JSON.stringify(
    answer(request, {
      licence,
      expires_at: presentSecond(claims.exp),
      grace_until: presentSecond(claims.exp + claims.grace),
      ...makeLicenceUrls(deps.publicUrl, caller.workspaceId),
    }),
  );
}
