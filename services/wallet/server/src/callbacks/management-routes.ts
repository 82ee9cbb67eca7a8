// Management routes: the callback log.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, managed, PackageParams } from '../access-policy.ts';
import { PlayerId } from '../players/player.ts';
import { NextCursor, PageQuery, parseLimit } from '../wire/paging.ts';
import { CallbackLineAnswer, presentCallbackLine } from './callback-log.ts';
import { listCallbacks } from './queries.ts';

const Id = PrintableText({ min: 1, max: 128 });

export function registerCallbackManagement(app: App, policy: AccessPolicy, { db }: { db: Db }): void {
  const schema = {
    ...managed(policy, {
      summary: 'List repeated, refused and failed callbacks, newest first',
      description: 'First deliveries are movements, which the journal lists.',
      data: Type.Object({ callbacks: Type.Array(CallbackLineAnswer), next_cursor: NextCursor }),
    }),
    params: Type.Object(PackageParams),
    querystring: Type.Object({
      ...PageQuery,
      transaction_id: Type.Optional(Id),
      player_id: Type.Optional(PlayerId),
      code: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$' })),
    }),
  };
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(`${policy.packagePath}/callbacks`, { schema, onRequest }, async (request) => {
    const { packageId } = getHome(request);
    const { transaction_id: transactionId, player_id: playerId, code, cursor } = request.query;
    const limit = parseLimit(request.query.limit);
    const wanted = { packageId, transactionId, playerId, code, cursor, limit };
    const page = await listCallbacks(db, wanted);
    return answer(request, {
      callbacks: page.lines.map(presentCallbackLine),
      next_cursor: page.nextCursor,
    });
  });
}
