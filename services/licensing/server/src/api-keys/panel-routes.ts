// Routes for the API keys in the panel, under "API key" in the settings (specification, section 5).

import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ApiKeyAnswer, allScopes, legacyItemMeaning, presentApiKey } from '../authentication/api-key.ts';
import { getMembership, workspaceRoute } from '../people/require-membership.ts';
import { IdNumber, Moment, parseTime } from '../wire/input.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { refuseTooMany } from '../wire/refusals.ts';
import { createApiKey } from './create-api-key.ts';
import { ImportedSecret, KeyName } from './key-input.ts';
import { all, type KeyPanelDeps, present, registerOneKeyRoutes, WithKey } from './panel-key-routes.ts';
import { listApiKeys } from './queries.ts';

const WithSecret = Type.Object({ api_key: ApiKeyAnswer, secret: Type.String() });

const NewKey = {
  name: KeyName,
  mode: Type.Optional(
    Type.Enum(['live', 'test'], {
      description:
        'A test key (`ck_test_…`) sees fixed test data and none of yours. By default the key is live. ' +
        'The description of this API lists the test codes.',
    }),
  ),
  kind: Type.Optional(
    Type.Enum(['secret', 'publishable'], {
      description:
        'Optional: a key with an `item_id` is publishable, any other is secret. A publishable test key ' +
        'without an `item_id` is bound to the first test item.',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(Type.Enum([...allScopes]), {
      minItems: 1,
      maxItems: 10,
      description:
        'Only for secret keys. By default the read scopes, and for a test key the activation scopes too.',
    }),
  ),
  item_id: Type.Optional(IdNumber('Makes the key publishable and binds it to this item.')),
  expires_at: Type.Optional(Moment),
  legacy_item: Type.Optional(Type.Boolean({ description: legacyItemMeaning })),
};

export function registerApiKeyPanelRoutes(app: App, deps: KeyPanelDeps): void {
  registerReading(app, deps);
  registerMaking(app, deps);
  registerOneKeyRoutes(app, deps);
}

function registerReading(app: App, deps: KeyPanelDeps): void {
  const listed = Type.Object({ api_keys: Type.Array(ApiKeyAnswer), next_cursor: NextCursor });
  const schema = { ...panelRoute('List API keys', listed), querystring: Type.Object(PageQuery) };
  app.get(all, workspaceRoute(deps, 'member', schema), async (request) => {
    const page = readPage(request.query);
    const keys = await listApiKeys(deps.db, getMembership(request).workspaceId, page);
    const list = keys.map((key) => presentApiKey(key, deps.now()));
    return answer(request, { api_keys: list, ...presentNext(page, keys, (key) => [key.id]) });
  });
}

function registerMaking(app: App, deps: KeyPanelDeps): void {
  const make = async (request: FastifyRequest, body: Static<Type.TObject<typeof NewKey>>, given?: string) => {
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
      expiresAt: parseTime('expires_at', body.expires_at),
      legacyItem: body.legacy_item,
      secret: given,
    };
    const made = await deps.db.transaction((tx) => createApiKey(tx, deps.masterKey, wanted));
    const shown = await present(deps, { workspaceId, id: made.id });
    return { ...shown, secret: made.secret };
  };

  const schema = { ...panelRoute('Generate an API key', WithSecret), body: Type.Object(NewKey) };
  app.post(all, workspaceRoute(deps, 'owner', schema), async (request) =>
    answer(request, await make(request, request.body)),
  );

  const importing = workspaceRoute(deps, 'owner', {
    ...panelRoute('Import an existing key', WithKey),
    body: Type.Object({ ...NewKey, api_key: ImportedSecret }),
  });
  app.post(`${all}/import`, importing, async (request) => {
    const counted = deps.importThrottle.fail(String(getMembership(request).workspaceId));
    if (counted.limited) throw refuseTooMany('key-imports', deps.importThrottle, counted);
    return answer(request, await make(request, request.body, request.body.api_key));
  });
}
