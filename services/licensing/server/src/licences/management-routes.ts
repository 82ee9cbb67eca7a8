// Routes that read and set the terms of licences.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { IdNumber } from '../wire/input.ts';
import { LicenceTermsAnswer, SetTermsAnswer } from './licence-terms.ts';
import { getLicenceTerms } from './queries.ts';
import { setLicenceTerms } from './set-licence-terms.ts';

export function registerLicenceManagement(app: App, policy: AccessPolicy, { db, now }: ManagementDeps): void {
  const path = `${policy.prefix}/licence-terms`;
  const route = { tag: 'Licences', data: LicenceTermsAnswer };
  const show = async (request: FastifyRequest, itemId: bigint) => {
    const { workspaceId } = policy.callerOf(request);
    const { set, inForce } = await getLicenceTerms(db, { workspaceId, itemId });
    return answer(request, { set, in_force: inForce });
  };
  const reading = managed(
    policy,
    { ...route, scope: 'activations:read', summary: 'The terms of licences, for an item or the workspace' },
    { querystring: Type.Object({ item_id: Type.Optional(Id) }) },
  );
  app.get(path, reading, async (request) => {
    const itemId = BigInt(request.query.item_id ?? 0);
    if (itemId !== 0n) await getOwnItem(db, { ...policy.callerOf(request), itemId });
    return show(request, itemId);
  });

  const setting = managed(
    policy,
    { ...route, scope: 'items:write', summary: 'Set the terms of licences, for an item or the workspace' },
    {
      description:
        'Replaces all terms. A missing term comes from the workspace again, or from the defaults. ' +
        'Licences that were issued before keep their terms.',
      body: Type.Object({ item_id: Type.Optional(IdNumber('For one item.')), ...SetTermsAnswer.properties }),
    },
  );
  app.put(path, setting, async (request) => {
    const { item_id: id = 0, ...terms } = request.body;
    const itemId = BigInt(id);
    const caller = policy.callerOf(request);
    await db.transaction((tx) => setLicenceTerms(tx, { caller, itemId, terms, now: now() }));
    return show(request, itemId);
  });
}
