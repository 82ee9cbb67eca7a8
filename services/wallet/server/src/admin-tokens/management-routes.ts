// Routes for admin tokens. Only people may create, list and revoke tokens; a token may not.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { parseId } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, platformRoute } from '../access-policy.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';
import { AdminTokenAnswer, presentAdminToken, TokenName } from './admin-token.ts';
import { createAdminToken, revokeAdminToken } from './change-admin-tokens.ts';
import { listAdminTokens } from './queries.ts';

const Tokens = Type.Object({ admin_tokens: Type.Array(AdminTokenAnswer) });

export function registerAdminTokens(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const { db, masterKey, now } = deps;
  const all = `${policy.prefix}/admin-tokens`;
  const present = async () => ({
    admin_tokens: (await listAdminTokens(db, now())).map((each) => presentAdminToken(each, now())),
  });
  const list = platformRoute(policy, { summary: 'List administrator tokens', data: Tokens });
  app.get(all, list, async (request) => answer(request, await present()));

  const Made = Type.Object({
    id: Type.Integer(),
    token: Type.String({ description: 'Shown only in this answer.' }),
  });
  const body = Type.Object({
    name: TokenName,
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  });
  const create = platformRoute(policy, { summary: 'Create an administrator token', data: Made }, { body });
  app.post(all, create, async (request) => {
    const { name, expires_in_days: days } = request.body;
    const wanted = { name, days, actor: getPrincipal(request).actor, at: now() };
    const made = await db.transaction((tx) => createAdminToken(tx, masterKey, wanted));
    return answer(request, { id: Number(made.id), token: made.token });
  });

  const params = Type.Object({ token_id: Type.String() });
  const revoke = platformRoute(
    policy,
    { summary: 'Revoke an administrator token', data: Tokens },
    { params },
  );
  app.post(`${all}/:token_id/revoke`, revoke, async (request) => {
    const id = parseId(request.params.token_id);
    const target = { id, actor: getPrincipal(request).actor, at: now() };
    await db.transaction((tx) => revokeAdminToken(tx, target));
    return answer(request, await present());
  });
}
