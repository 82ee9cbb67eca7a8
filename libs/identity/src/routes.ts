// Registers the sign-in routes of a panel, and the guard against cross-site requests.
import type { App } from '@counterfoil/kit/http/app';
import { registerLinkRoutes } from './links/link-routes.ts';
import { registerPasswordRoutes } from './passwords/password-routes.ts';
import { refuseCrossSiteRequests } from './sessions/cross-site.ts';
import { registerSessionRoutes } from './sessions/session-routes.ts';
import type { SignIn } from './sessions/sign-in.ts';

/** Call it before plug-ins with panel routes are registered, because the guard applies to them too. */
export function registerSignInRoutes(app: App, signIn: SignIn): void {
  refuseCrossSiteRequests(app, signIn);
  registerSessionRoutes(app, signIn);
  registerPasswordRoutes(app, signIn);
  registerLinkRoutes(app, signIn);
}
