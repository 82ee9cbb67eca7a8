// One API key in the panel: rename it, move its expiry, rotate, revoke or reveal it.

import { Password, panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import { requirePassword } from '@counterfoil/identity/passwords/check-password';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Moment, parseTime } from '../wire/input.ts';
import { refuseFields } from '../wire/refusals.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../workspaces/require-membership.ts';
import {
  ApiKeyAnswer,
  legacyItemMeaning,
  type Overlap,
  overlaps,
  presentApiKey,
} from './api-key.ts';
import { changeApiKey } from './change-api-key.ts';
import { getApiKey } from './get-api-key.ts';
import { KeyName } from './key-input.ts';
import { revealApiKey } from './reveal-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export interface KeyPanelDeps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly masterKey: MasterKey;
  /** An import tells whether a key exists, so it is as slow to try keys on as the API itself. */
  readonly importThrottle: Throttle;
  readonly now: () => Date;
}

export const all = '/panel/workspaces/:workspace_id/api-keys';
const one = `${all}/:key_id`;

const params = Type.Object({ ...WorkspaceParams, key_id: Type.String() });
export const WithKey = Type.Object({ api_key: ApiKeyAnswer });
const security = sessionSecurity;

const another =
  'is settled for good when a key is made: generate another key, and revoke this one.';
const unchangeable = { scopes: another, kind: another, item_id: another, mode: another };

export function registerOneKeyRoutes(app: App, deps: KeyPanelDeps): void {
  registerChanging(app, deps);
  registerRotating(app, deps);
  registerReveal(app, deps);

  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  const schema = { ...panelRoute('Read an API key', WithKey), security, params };
  app.get(one, { schema, onRequest }, async (request) =>
    answer(request, await present(deps, targetOf(deps, request))),
  );
}

function registerChanging(app: App, deps: KeyPanelDeps): void {
  const onRequest = requireMembership(deps.signIn, { role: 'owner' });
  const changeSchema = {
    ...panelRoute('Rename an API key, or change its expiry', WithKey),
    security,
    params,
    body: Type.Object({
      name: Type.Optional(KeyName),
      expires_at: Type.Optional(Type.Union([Moment, Type.Null()], { description: 'Null: never.' })),
      legacy_item: Type.Optional(Type.Boolean({ description: legacyItemMeaning })),
    }),
  };
  const preValidation = refuseFields(unchangeable);
  app.patch(one, { schema: changeSchema, onRequest, preValidation }, async (request) => {
    const target = targetOf(deps, request);
    const { name, expires_at: time, legacy_item: legacyItem } = request.body;
    const expiresAt = typeof time === 'string' ? parseTime('expires_at', time) : time;
    await deps.db.transaction((tx) => changeApiKey(tx, { ...target, name, expiresAt, legacyItem }));
    return answer(request, await present(deps, target));
  });

  const revokeSchema = { ...panelRoute('Revoke an API key', WithKey), security };
  const schema = { ...revokeSchema, params };
  app.post(`${one}/revoke`, { schema, onRequest }, async (request) => {
    const target = targetOf(deps, request);
    await deps.db.transaction((tx) => revokeApiKey(tx, target));
    return answer(request, await present(deps, target));
  });
}

function registerRotating(app: App, deps: KeyPanelDeps): void {
  const onRequest = requireMembership(deps.signIn, { role: 'owner' });
  const names = Object.keys(overlaps) as Overlap[];
  const Rotated = Type.Object({
    api_key: ApiKeyAnswer,
    secret: Type.String(),
    old_api_key: ApiKeyAnswer,
  });
  const schema = {
    ...panelRoute('Replace an API key', Rotated),
    description:
      'The old key goes on working for the overlap, of 24 hours where not given. The new one ends when the old one would have, unless another time is named.',
    security,
    params,
    body: Type.Object({
      overlap: Type.Optional(Type.Enum(names)),
      expires_at: Type.Optional(Moment),
    }),
  };
  app.post(`${one}/rotate`, { schema, onRequest }, async (request) => {
    const target = targetOf(deps, request);
    const { overlap = '24h', expires_at: time } = request.body;
    const expiresAt = time === undefined ? undefined : parseTime('expires_at', time);
    const made = await deps.db.transaction((tx) =>
      rotateApiKey(tx, deps.masterKey, { ...target, overlap, expiresAt }),
    );
    const { api_key: old } = await present(deps, target);
    const shown = await present(deps, { ...target, id: made.id });
    return answer(request, { ...shown, secret: made.secret, old_api_key: old });
  });
}

function registerReveal(app: App, deps: KeyPanelDeps): void {
  const onRequest = requireMembership(deps.signIn, { role: 'owner' });
  const schema = {
    ...panelRoute('Show an API key again', Type.Object({ secret: Type.String() })),
    description: 'Asks for the password again; ten wrong ones in a quarter of an hour lock it.',
    security,
    params,
    body: Type.Object({ password: Password }),
  };
  app.post(`${one}/reveal`, { schema, onRequest }, async (request) => {
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
