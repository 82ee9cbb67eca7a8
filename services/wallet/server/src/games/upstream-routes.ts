// For administrators: how the upstream is doing, and taking a catalogue that shrank.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, managed } from '../access-policy.ts';
import { countPendingRegistrations } from '../registrations/find-registration.ts';
import type { SourceHealth, Upstream } from '../upstream/upstream.ts';
import { acceptCatalogue } from './accept-catalogue.ts';
import type { CatalogueKeeper } from './cache-catalogue.ts';
import { countGames } from './catalogue.ts';
import { CatalogueName, UpstreamAnswer } from './upstream-answer.ts';

export interface UpstreamRouteDeps {
  readonly db: Db;
  readonly upstream: Upstream;
  readonly catalogue: CatalogueKeeper;
  readonly now: () => Date;
}

export function registerUpstreamManagement(
  app: App,
  policy: AccessPolicy,
  deps: UpstreamRouteDeps,
): void {
  if (!policy.isAdmin) return;
  const schema = managed(policy, { summary: 'How is the provider doing?', data: UpstreamAnswer });
  app.get(`${policy.prefix}/upstream`, { schema, onRequest: policy.authorize }, async (request) => {
    const pending = await countPendingRegistrations(deps.db);
    return answer(request, { ...presentCatalogue(deps), registrations_pending: pending });
  });

  const Accepted = Type.Object({ source: CatalogueName, total: Type.Integer() });
  const acceptSchema = {
    ...managed(policy, { summary: 'Take a catalogue that shrank', data: Accepted }),
    body: Type.Object({
      source: CatalogueName,
      total: Type.Integer({
        minimum: 0,
        maximum: 20_000,
        description: 'Lists of that source with as many games count as good, and so does the next.',
      }),
    }),
  };
  const path = `${policy.prefix}/upstream/catalogue/accept`;
  app.post(path, { schema: acceptSchema, onRequest: policy.authorize }, async (request) => {
    const { source, total } = request.body;
    const accepted = { source, total, actor: getPrincipal(request).actor, at: deps.now() };
    await deps.db.transaction((tx) => acceptCatalogue(tx, accepted));
    return answer(request, { source, total });
  });
}

function presentCatalogue({ upstream, catalogue, now }: UpstreamRouteDeps) {
  const served = catalogue.peek();
  const suspicions = [...catalogue.suspicions()].map(([source, { total, since }]) => ({
    source,
    total,
    since: since.toISOString(),
  }));
  const ageMs = served ? now().getTime() - served.catalogue.takenAt.getTime() : 0;
  return {
    sources: upstream.health().map(presentHealth),
    catalogue: served
      ? {
          source: served.source,
          taken_at: served.catalogue.takenAt.toISOString(),
          age_seconds: Math.max(0, Math.floor(ageMs / 1000)),
          total: countGames(served.catalogue),
        }
      : null,
    suspicions,
  };
}

const presentHealth = (health: SourceHealth) => ({
  source: health.source,
  breaker: health.breaker,
  last_success_at: health.lastSuccessAt?.toISOString() ?? null,
  last_failure_at: health.lastFailureAt?.toISOString() ?? null,
  last_failure: health.lastFailure ?? null,
});
