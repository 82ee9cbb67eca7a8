// POST …/purchases/:purchase_id/download-links, by key and by session.
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { Version } from '../items/item-version.ts';
import { ofPurchase, targetOf } from '../purchases/management/management-routes.ts';
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
  const summary = 'Make a download link for the buyer';
  const body = Type.Object({
    version: Type.Optional(Version),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: longestHours })),
  });
  const options = managed(policy, { ...ofPurchase, summary, data }, { body });
  const path = `${policy.prefix}/purchases/:purchase_id/download-links`;
  app.post(path, { ...options, config: { optionalBody: true } }, async (request) => {
    const { version, hours = deps.downloadLinkHours } = request.body;
    const target = targetOf(policy, deps, request);
    const wanted = { ...target, version, lifeMs: hours * hourMs };
    const { expiresAt, ...link } = await deps.db.transaction((tx) => makeDownloadLink(tx, deps, wanted));
    return answer(request, { ...link, expires_at: presentTime(expiresAt) });
  });
}
