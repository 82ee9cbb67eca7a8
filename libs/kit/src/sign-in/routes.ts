// Mounts everything a panel needs for signing in, and the guard against other sites.
import type { App } from '../app.ts';
import { refuseCrossSiteRequests } from './cross-site.ts';
import { registerLinkRoutes } from './link-routes.ts';
import { registerPasswordRoutes } from './password-routes.ts';
import { registerSessionRoutes } from './session-routes.ts';
import type { SignIn } from './sign-in.ts';

/** Call it before any plug-in that brings panel routes of its own: the guard is for them too. */
export function registerSignInRoutes(app: App, signIn: SignIn): void {
  refuseCrossSiteRequests(app, signIn);
  registerSessionRoutes(app, signIn);
  registerPasswordRoutes(app, signIn);
  registerLinkRoutes(app, signIn);
}
