// Routes that list and rotate the signing keys of a workspace.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { makeLicenceUrls } from './key-set.ts';
import { selectSigningKeys } from './queries.ts';
import { maxNoticeDays, maxOverlapDays, rotateSigningKey } from './rotate-signing-key.ts';
import { presentSigningKeys, SigningKeyAnswer } from './signing-key.ts';

const data = Type.Object({
  signing_keys: Type.Array(SigningKeyAnswer),
  jwks_url: Type.String({ description: 'The address of the public keys.' }),
  revocations_url: Type.String({ description: 'The address of the signed revocation list.' }),
});

const days = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

export function registerSigningKeyManagement(
  app: App,
  policy: AccessPolicy,
  { db, masterKey, now, publicUrl }: ManagementDeps & { readonly publicUrl: string },
): void {
  const path = `${policy.prefix}/signing-keys`;
  const tag = 'Licences';
  const show = async (request: FastifyRequest) => {
    const { workspaceId } = policy.callerOf(request);
    const keys = presentSigningKeys(await selectSigningKeys(db, workspaceId), now());
    return answer(request, { signing_keys: keys, ...makeLicenceUrls(publicUrl, workspaceId) });
  };
  const listing = {
    scope: 'activations:read',
    tag,
    summary: 'List signing keys, newest first',
    data,
  } as const;
  app.get(path, managed(policy, listing), show);

  const summary = 'Create the signing key, or replace it by a new one';
  const rotating = managed(
    policy,
    { scope: 'items:write', role: 'owner', tag, summary, data },
    {
      description:
        'Without a key, this creates the first one. Otherwise a new key signs after the notice, and the ' +
        'old key stays public during the overlap. If a key is waiting already, its time is set anew.',
      body: Type.Object({
        notice_days: days(
          maxNoticeDays,
          'Days for which the new key is public before it signs; 0 by default.',
        ),
        overlap_days: days(
          maxOverlapDays,
          'Days for which the old key stays public after it signed for the last time; ' +
            `${maxOverlapDays} by default.`,
        ),
      }),
    },
  );
  app.post(`${path}/rotate`, rotating, async (request) => {
    const { notice_days: noticeDays = 0, overlap_days: overlapDays = maxOverlapDays } = request.body;
    const rotation = { ...policy.callerOf(request), at: now(), noticeDays, overlapDays };
    await db.transaction((tx) => rotateSigningKey(tx, masterKey, rotation));
    return show(request);
  });
}
