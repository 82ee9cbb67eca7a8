// GET /api/v1/feed: every movement of the package, in order and without gaps, for reconciliation.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type Authenticate, callerRead, getPackage } from '../packages/callers/authenticate.ts';
import { LimitOf, parseLimit } from '../wire/paging.ts';
import { FeedLine, presentFeedLine } from './feed-line.ts';
import { listFeed } from './list-feed.ts';

const limits = { max: 1000, fallback: 100 };

const querystring = Type.Object({
  after: Type.Optional(
    shownAs(
      Type.String({
        pattern: '^[0-9]{1,18}$',
        description: 'The `next_after` of the previous page. 0, the beginning, by default.',
      }),
      integerForm(0, Number.MAX_SAFE_INTEGER),
    ),
  ),
  limit: LimitOf('movements', limits),
});

const FeedPage = Type.Object({
  movements: Type.Array(FeedLine),
  next_after: Type.Integer({ description: 'The `after` of the next request, also on the last page.' }),
  has_more: Type.Boolean({ description: 'True if the page is full: more movements may follow.' }),
});

export function registerFeedRoutes(app: App, deps: { db: Db; authenticate: Authenticate }): void {
  const schema = {
    ...callerRead({
      tag: 'Transactions',
      summary: 'Every movement of your package, in order',
      description:
        'Store `next_after` and pass it as `after` in the next request: no movement is repeated or left ' +
        'out. Final refusals are listed too, as movements that move nothing.',
      data: FeedPage,
    }),
    querystring,
  };
  const onRequest = deps.authenticate({ whenSuspended: 'served' });
  app.get('/api/v1/feed', { schema, onRequest }, async (request) => {
    const owner = getPackage(request);
    const { id: packageId } = owner;
    const after = BigInt(request.query.after ?? '0');
    const limit = parseLimit(request.query.limit, limits);
    const entries = await listFeed(deps.db, { packageId, after, limit });
    return answer(request, {
      movements: entries.map((entry) => presentFeedLine(entry, owner)),
      next_after: Number(entries.at(-1)?.movement.sequence ?? after),
      has_more: entries.length === limit,
    });
  });
}
