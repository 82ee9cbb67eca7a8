// GET /api/account/details (specification, section 4, rule 1).
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { ApiKeyParameter, type Authenticate, apiKeySecurity } from '../authentication/authenticate.ts';
import { AccountAnswer, presentAccount } from './account.ts';
import { getAccount } from './queries.ts';

export function registerAccountRoutes(app: App, deps: { db: Db; authenticate: Authenticate }): void {
  app.get(
    '/api/account/details',
    {
      schema: {
        tags: ['Account'],
        summary: 'Read the account that owns the key',
        security: apiKeySecurity,
        querystring: Type.Object({ api_key: ApiKeyParameter }),
        response: {
          200: Type.Object({ status: Type.Literal('success'), data: AccountAnswer }),
          401: ErrorAnswer,
          403: ErrorAnswer,
          429: ErrorAnswer,
          503: ErrorAnswer,
        },
      },
      preValidation: deps.authenticate('account:read'),
    },
    async (request) => {
      const account = await getAccount(deps.db, request.apiKey.workspaceId);
      return { status: 'success' as const, data: presentAccount(account) };
    },
  );
}
