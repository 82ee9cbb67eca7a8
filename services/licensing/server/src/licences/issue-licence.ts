// Issues an offline licence. Issuing activates the host, so the limits of activations apply.
import type { Db } from '@counterfoil/kit/postgres/db';
import { activatePurchase, isSeenLately } from '../activations/activate-purchase.ts';
import { hashTarget, type Target } from '../activations/activation.ts';
import type { Caller } from '../audit/audit-event.ts';
import { fail } from '../errors.ts';
import type { CodedPurchase } from '../purchases/validation/queries.ts';
import { createSigningKey } from '../signing-keys/create-signing-key.ts';
import { type Signer, signJws } from '../signing-keys/signing-key.ts';
import type { SigningKeyFinder } from '../signing-keys/signing-key-finder.ts';
import { licenceType, makeClaims } from './licence.ts';
import { findLicenceEnd } from './licence-terms.ts';
import type { LicenceFactsFinder } from './queries.ts';

export interface IssueDeps extends Pick<Parameters<typeof activatePurchase>[0], 'masterKey'> {
  readonly db: Db;
  readonly signingKeys: SigningKeyFinder;
  readonly licenceFacts: LicenceFactsFinder;
  readonly publicUrl: string;
}

export interface NewLicence {
  readonly caller: Caller;
  readonly purchase: CodedPurchase;
  readonly codeHash: Buffer;
  readonly target: Target;
  readonly supportEnabled: boolean;
  readonly now: Date;
  /** Called before a write. It throws if the purchase changes too often. */
  readonly onChange: () => void;
}

/** Issues a licence. Returns the compact JWS and its claims. */
export async function issueLicence(deps: IssueDeps, wanted: NewLicence) {
  const { caller, purchase, target, now } = wanted;
  const { workspaceId } = caller;
  if (purchase.state !== 'active') throw fail(`purchase_${purchase.state}`);
  const purchaseId = purchase.id;
  const targetHash = hashTarget(deps.masterKey, { purchaseId, target });
  const facts = await deps.licenceFacts(workspaceId, { purchaseId, itemId: purchase.itemId, targetHash });
  if (!facts) throw new Error('the terms of a licence were not loaded');
  const endsAt = findLicenceEnd(facts.terms, new Date(purchase.purchasedAt));
  if (endsAt && endsAt <= now) throw fail('licence_ended');
  // A host that was seen within the last hour keeps its seat without a write.
  if (!facts.seenAt || !isSeenLately(facts.seenAt, now)) {
    await activatePurchase(deps, { caller, purchaseId, target, now, onChange: wanted.onChange });
  }
  const claims = makeClaims({ ...wanted, issuer: deps.publicUrl, terms: facts.terms, endsAt });
  return { licence: signJws(await getSigner(deps, caller, now), licenceType, claims), claims };
}

/** Returns the key that signs. If the workspace has no key yet, creates its first key. */
async function getSigner(deps: IssueDeps, caller: Caller, at: Date): Promise<Signer> {
  const find = async () => (await deps.signingKeys.get(caller.workspaceId))?.findSigner(at);
  const found = await find();
  if (found) return found;
  await deps.db.transaction((tx) => createSigningKey(tx, deps.masterKey, { ...caller, at }));
  const made = await find();
  if (!made) throw new Error('no signing key was found after one was created');
  return made;
}
