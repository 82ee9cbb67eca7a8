// POST {private}/v1/launches and {public}/v1/shared-launches: return a one-time address of a game.
import type { App } from '@counterfoil/kit/http/app';
import { fail } from '../errors.ts';
import type { PackageRegistry } from '../packages/packages.ts';
import { LaunchBody, parseLaunch } from './launch.ts';
import type { PlaySessions } from './play-session.ts';

export function registerLaunchRoute(
  app: App,
  path: string,
  deps: { packages: PackageRegistry; sessions: PlaySessions; siteUrl: string },
): void {
  app.post(path, { schema: { body: LaunchBody } }, async (request, reply) => {
    const launch = parseLaunch(request.body);
    if (launch.mode === 'real') {
      const registration = deps.packages.find(launch.uid);
      if (!registration) throw fail('package_not_registered');
      if (!registration.active) throw fail('game_unavailable');
    }
    const session = deps.sessions.create(launch);
    reply.code(201);
    return {
      launch_url: `${deps.siteUrl}/play/${session.token}`,
      expires_at: new Date(session.linkExpiresAtMs).toISOString(),
    };
  });
}
