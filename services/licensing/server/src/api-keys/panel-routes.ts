// API keys in the panel: a workspace's Settings, "API key" (specification, section 5).

import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Moment, parseTime } from '../wire/input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { refuseTooMany } from '../wire/refusals.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../workspaces/require-membership.ts';
import { ApiKeyAnswer, allScopes, legacyItemMeaning, presentApiKey } from './api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { ImportedSecret, KeyName } from './key-input.ts';
import { listApiKeys } from './list-api-keys.ts';
import {
  all,
  type KeyPanelDeps,
  present,
  registerOneKeyRoutes,
  WithKey,
} from './panel-key-routes.ts';

const params = Type.Object(WorkspaceParams);
const WithSecret = Type.Object({ api_key: ApiKeyAnswer, secret: Type.String() });
const security = sessionSecurity;

const NewKey = {
  name: KeyName,
  mode: Type.Optional(
    Type.Enum(['live', 'test'], {
      description:
        'A test key (`ck_test_…`) sees fixed test data and never yours; live where not given. ' +
        'The description of this API lists its codes.',
    }),
  ),
  kind: Type.Optional(
    Type.Enum(['secret', 'publishable'], {
      description:
        'Publishable with an `item_id`, secret without; may be left out. A publishable test key ' +
        'without an `item_id` is bound to the first test item.',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(Type.Enum([...allScopes]), {
      minItems: 1,
      maxItems: 10,
      description:
        'Of a secret key; what reads, where not given, and of a test key activations too.',
    }),
  ),
  item_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Makes the key publishable, for this item alone.',
    }),
  ),
  expires_at: Type.Optional(Moment),
  legacy_item: Type.Optional(Type.Boolean({ description: legacyItemMeaning })),
};
const ImportedKey = { ...NewKey, api_key: ImportedSecret };

export function registerApiKeyPanelRoutes(app: App, deps: KeyPanelDeps): void {
  registerReading(app, deps);
  registerMaking(app, deps);
  registerOneKeyRoutes(app, deps);
}

function registerReading(app: App, deps: KeyPanelDeps): void {
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  const listed = Type.Object({ api_keys: Type.Array(ApiKeyAnswer), next_cursor: NextCursor });
  const listSchema = { ...panelRoute('List API keys', listed), security, params };
  const schema = { ...listSchema, querystring: Type.Object(PageQuery) };
  app.get(all, { schema, onRequest }, async (request) => {
    const page = readPage(request.query);
    const keys = await listApiKeys(deps.db, getMembership(request).workspaceId, page);
    const list = keys.map((key) => presentApiKey(key, deps.now()));
    return answer(request, { api_keys: list, ...presentNext(page, keys, (key) => [key.id]) });
  });
}

function registerMaking(app: App, deps: KeyPanelDeps): void {
  const onRequest = requireMembership(deps.signIn, { role: 'owner' });
  const make = async (
    request: FastifyRequest,
    body: Static<Type.TObject<typeof NewKey>>,
    given?: string,
  ) => {
    const { workspaceId, actor } = getMembership(request);
    const wanted = {
      workspaceId,
      actor,
      at: deps.now(),
      name: body.name,
      isTest: body.mode === 'test',
      kind: body.kind,
      scopes: body.scopes,
      itemId: body.item_id === undefined ? undefined : BigInt(body.item_id),
      expiresAt:
        body.expires_at === undefined ? undefined : parseTime('expires_at', body.expires_at),
      legacyItem: body.legacy_item,
      secret: given,
    };
    const made = await deps.db.transaction((tx) => createApiKey(tx, deps.masterKey, wanted));
    const shown = await present(deps, { workspaceId, id: made.id });
    return { ...shown, secret: made.secret };
  };

  const makeSchema = { ...panelRoute('Generate an API key', WithSecret), security, params };
  const schema = { ...makeSchema, body: Type.Object(NewKey) };
  app.post(all, { schema, onRequest }, async (request) =>
    answer(request, await make(request, request.body)),
  );

  const importSchema = {
    ...panelRoute('Take in an existing key as it is', WithKey),
    security,
    params,
    body: Type.Object(ImportedKey),
  };
  app.post(`${all}/import`, { schema: importSchema, onRequest }, async (request) => {
    const counted = deps.importThrottle.fail(String(getMembership(request).workspaceId));
    if (counted.limited) throw refuseTooMany('key-imports', deps.importThrottle, counted);
    return answer(request, await make(request, request.body, request.body.api_key));
  });
}
