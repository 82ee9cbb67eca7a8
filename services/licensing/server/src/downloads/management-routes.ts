// POST …/purchases/:purchase_id/download-links, for programs with a key and for people with a session.
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { Version } from '../items/item-version.ts';
import { makeDownloadLink } from './make-download-link.ts';

interface Deps extends ManagementDeps {
  readonly publicUrl: string;
  readonly downloadLinkHours: number;
}

const hourMs = 3_600_000;
const longestHours = 24 * 30;

export function registerDownloadLinks(app: App, policy: AccessPolicy, deps: Deps): void {
  const data = Type.Object({
    url: Type.String({
      description: 'Everybody who has the URL can download the file. Give it to the buyer only.',
    }),
    version: Type.String({ description: 'The version that the link downloads now.' }),
    expires_at: Type.String(),
  });
  const route = {
    scope: 'purchases:write',
    tag: 'Purchases (management)',
    summary: 'Make a download link for the buyer',
    data,
    params: { purchase_id: Id },
  } as const;
  const body = Type.Object({
    version: Type.Optional(Version),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: longestHours })),
  });
  const options = managed(policy, route, { body });
  const path = `${policy.prefix}/purchases/:purchase_id/download-links`;
  app.post(path, { ...options, config: { optionalBody: true } }, async (request) => {
    const { version, hours = deps.downloadLinkHours } = request.body;
    const caller = policy.callerOf(request);
    const purchaseId = BigInt(request.params.purchase_id);
    const wanted = { caller, purchaseId, now: deps.now(), version, lifeMs: hours * hourMs };
    const { expiresAt, ...link } = await deps.db.transaction((tx) => makeDownloadLink(tx, deps, wanted));
    return answer(request, { ...link, expires_at: presentTime(expiresAt) });
  });
}
