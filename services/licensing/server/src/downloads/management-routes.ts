// POST …/purchases/:purchase_id/download-links, by key and by session.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { answer, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, managed } from '../access-policy.ts';
import { Version } from '../items/item-version.ts';
import { makeDownloadLink } from './make-download-link.ts';

interface Deps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly publicUrl: string;
  readonly downloadLinkHours: number;
  readonly now: () => Date;
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
  const schema = {
    ...managed(policy, {
      tag: 'Purchases (management)',
      summary: 'Make a download link for the buyer',
      data,
      params: { purchase_id: Id },
    }),
    body: Type.Object({
      version: Type.Optional(Version),
      hours: Type.Optional(Type.Integer({ minimum: 1, maximum: longestHours })),
    }),
  };
  const options = { schema, config: { optionalBody: true }, ...policy.guard('purchases:write') };
  app.post(`${policy.prefix}/purchases/:purchase_id/download-links`, options, async (request) => {
    const { version, hours = deps.downloadLinkHours } = request.body;
    const link = await deps.db.transaction((tx) =>
      makeDownloadLink(tx, deps, {
        caller: policy.callerOf(request),
        purchaseId: BigInt(request.params.purchase_id),
        version,
        now: deps.now(),
        lifeMs: hours * hourMs,
      }),
    );
    return answer(request, {
      url: link.url,
      version: link.version,
      expires_at: presentTime(link.expiresAt),
    });
  });
}
