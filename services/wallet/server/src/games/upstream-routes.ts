// Administrators see the state of the upstream here, and accept a catalogue that has become smaller.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, managed } from '../access-policy.ts';
import { countPendingRegistrations } from '../packages/registration/queries.ts';
import { CatalogueName, countGames, type ServedCatalogue, UpstreamAnswer } from './catalogue.ts';
import type { LaunchDeps } from './launch-game.ts';
import { acceptCatalogue } from './request-catalogue.ts';
import { presentHealth } from './source-health.ts';

type UpstreamRouteDeps = Pick<LaunchDeps, 'db' | 'upstream' | 'catalogue' | 'now'>;

export function registerUpstreamManagement(app: App, policy: AccessPolicy, deps: UpstreamRouteDeps): void {
  if (!policy.isAdmin) return;
  const schema = managed(policy, {
    summary: 'Read the state of the provider',
    data: UpstreamAnswer,
  });
  app.get(`${policy.prefix}/upstream`, { schema, onRequest: policy.authorize }, async (request) => {
    const pending = await countPendingRegistrations(deps.db);
    return answer(request, { ...presentCatalogue(deps), registrations_pending: pending });
  });

  const Accepted = Type.Object({ source: CatalogueName, total: Type.Integer() });
  const acceptSchema = {
    ...managed(policy, { summary: 'Accept a catalogue that shrank', data: Accepted }),
    body: Type.Object({
      source: CatalogueName,
      total: Type.Integer({
        minimum: 0,
        maximum: 20_000,
        description: 'A list of this source with at least this many games is accepted.',
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
  return {
    sources: upstream.health().map((each) => ({ source: each.source, ...presentHealth(each) })),
    catalogue: served ? presentServed(served, now()) : null,
    suspicions: [...catalogue.suspicions()].map(([source, { total, since }]) => ({
      source,
      total,
      since: since.toISOString(),
    })),
  };
}

function presentServed({ source, catalogue }: ServedCatalogue, now: Date) {
  const ageMs = now.getTime() - catalogue.takenAt.getTime();
  return {
    source,
    taken_at: catalogue.takenAt.toISOString(),
    age_seconds: Math.max(0, Math.floor(ageMs / 1000)),
    total: countGames(catalogue),
  };
}
