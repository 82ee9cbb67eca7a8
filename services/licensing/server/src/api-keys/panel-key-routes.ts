// Routes for one API key in the panel: read, rename, change the expiry, rotate, revoke and reveal.

import { Password, panelRoute } from '@counterfoil/identity/panel-route';
import { requirePassword } from '@counterfoil/identity/passwords/check-password';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ApiKeyAnswer,
  legacyItemMeaning,
  type Overlap,
  overlaps,
  presentApiKey,
} from '../authentication/api-key.ts';
import {
  getMembership,
  type PanelDeps,
  WorkspaceParams,
  workspaceRoute,
} from '../people/require-membership.ts';
import { Moment, parseTime } from '../wire/input.ts';
import { refuseFields } from '../wire/refusals.ts';
import { changeApiKey, revokeApiKey } from './change-api-key.ts';
import { KeyName } from './key-input.ts';
import { revealApiKey } from './lock-api-key.ts';
import { getApiKey } from './queries.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export interface KeyPanelDeps extends PanelDeps {
  /** Limits imports as strictly as failed authentications, because an import reveals whether a key exists. */
  readonly importThrottle: Throttle;
}

export const all = '/panel/workspaces/:workspace_id/api-keys';
const one = `${all}/:key_id`;

const params = Type.Object({ ...WorkspaceParams, key_id: Type.String() });
export const WithKey = Type.Object({ api_key: ApiKeyAnswer });

const another =
  'is set when the key is created and cannot be changed: generate another key, and revoke this one.';
const unchangeable = { scopes: another, kind: another, item_id: another, mode: another };

export function registerOneKeyRoutes(app: App, deps: KeyPanelDeps): void {
  registerChanging(app, deps);
  registerRotating(app, deps);
  registerReveal(app, deps);

  const schema = { ...panelRoute('Read an API key', WithKey), params };
  app.get(one, workspaceRoute(deps, 'member', schema), async (request) =>
    answer(request, await present(deps, targetOf(deps, request))),
  );
}

function registerChanging(app: App, deps: KeyPanelDeps): void {
  const changing = workspaceRoute(deps, 'owner', {
    ...panelRoute('Rename an API key, or change its expiry', WithKey),
    params,
    body: Type.Object({
      name: Type.Optional(KeyName),
      expires_at: Type.Optional(Type.Union([Moment, Type.Null()], { description: 'Null: never.' })),
      legacy_item: Type.Optional(Type.Boolean({ description: legacyItemMeaning })),
    }),
  });
  const preValidation = refuseFields(unchangeable);
  app.patch(one, { ...changing, preValidation }, async (request) => {
    const target = targetOf(deps, request);
    const { name, expires_at: time, legacy_item: legacyItem } = request.body;
    const expiresAt = time === null ? null : parseTime('expires_at', time);
    await deps.db.transaction((tx) => changeApiKey(tx, { ...target, name, expiresAt, legacyItem }));
    return answer(request, await present(deps, target));
  });

  const schema = { ...panelRoute('Revoke an API key', WithKey), params };
  app.post(`${one}/revoke`, workspaceRoute(deps, 'owner', schema), async (request) => {
    const target = targetOf(deps, request);
    await deps.db.transaction((tx) => revokeApiKey(tx, target));
    return answer(request, await present(deps, target));
  });
}

function registerRotating(app: App, deps: KeyPanelDeps): void {
  const names = Object.keys(overlaps) as Overlap[];
  const Rotated = Type.Object({ api_key: ApiKeyAnswer, secret: Type.String(), old_api_key: ApiKeyAnswer });
  const route = workspaceRoute(deps, 'owner', {
    ...panelRoute('Replace an API key', Rotated),
    description:
      'The old key still works during the overlap, by default 24 hours. ' +
      'By default the new key has the expiry that the old key had.',
    params,
    body: Type.Object({ overlap: Type.Optional(Type.Enum(names)), expires_at: Type.Optional(Moment) }),
  });
  app.post(`${one}/rotate`, route, async (request) => {
    const target = targetOf(deps, request);
    const { overlap = '24h', expires_at: time } = request.body;
    const expiresAt = parseTime('expires_at', time);
    const made = await deps.db.transaction((tx) =>
      rotateApiKey(tx, deps.masterKey, { ...target, overlap, expiresAt }),
    );
    const { api_key: old } = await present(deps, target);
    const shown = await present(deps, { ...target, id: made.id });
    return answer(request, { ...shown, secret: made.secret, old_api_key: old });
  });
}

function registerReveal(app: App, deps: KeyPanelDeps): void {
  const route = workspaceRoute(deps, 'owner', {
    ...panelRoute('Show an API key again', Type.Object({ secret: Type.String() })),
    description: 'Needs the password. Ten wrong passwords within 15 minutes lock this operation.',
    params,
    body: Type.Object({ password: Password }),
  });
  app.post(`${one}/reveal`, route, async (request) => {
    const target = targetOf(deps, request);
    const { personId } = getMembership(request).session;
    await requirePassword(deps.signIn, { personId, password: request.body.password });
    const secret = await deps.db.transaction((tx) => revealApiKey(tx, deps.masterKey, target));
    return answer(request, { secret });
  });
}

const targetOf = (deps: KeyPanelDeps, request: FastifyRequest) => {
  const { workspaceId, actor } = getMembership(request);
  const { key_id: id } = request.params as { key_id: string };
  return { workspaceId, id: parseId(id), actor, at: deps.now() };
};

export const present = async (deps: KeyPanelDeps, key: { workspaceId: bigint; id: bigint }) => ({
  api_key: presentApiKey(await getApiKey(deps.db, key), deps.now()),
});
