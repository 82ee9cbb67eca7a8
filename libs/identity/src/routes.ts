// Mounts the routes for sessions, passwords and links, and the protection against other sites.
import type { App } from '@counterfoil/kit/http/app';
import { registerLinkRoutes } from './links/link-routes.ts';
import { registerPasswordRoutes } from './passwords/password-routes.ts';
import { refuseCrossSiteRequests } from './sessions/cross-site.ts';
import { registerSessionRoutes } from './sessions/session-routes.ts';
import type { SignIn } from './sessions/sign-in.ts';

/**
 * Registers the routes. Call this function before other panel routes are registered, because the protection
 * against requests of other sites covers only routes that are registered later.
 */
export function registerSignInRoutes(app: App, signIn: SignIn): void {
  refuseCrossSiteRequests(app, signIn);
  registerSessionRoutes(app, signIn);
  registerPasswordRoutes(app, signIn);
  registerLinkRoutes(app, signIn);
}
