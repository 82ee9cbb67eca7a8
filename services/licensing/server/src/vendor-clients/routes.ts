// The operations that clients of Envato, Gumroad and Lemon Squeezy call. Each workspace switches them on.
import type { App } from '@counterfoil/kit/http/app';
import { acceptAnyBody } from '../parameters/accept-any-body.ts';
import { registerEnvato } from './envato.ts';
import { registerGumroad } from './gumroad.ts';
import { registerLemonSqueezy } from './lemon-squeezy.ts';
import type { VendorDeps } from './vendor-request.ts';

const parameters = [
  'license_key',
  'product_id',
  'id',
  'link_id',
  'product_permalink',
  'increment_uses_count',
  'instance_id',
  'instance_name',
];

export function registerVendorRoutes(app: App, deps: VendorDeps): void {
  registerEnvato(app, deps);
  app.register(async (scope: App) => {
    acceptAnyBody(scope, parameters);
    registerGumroad(scope, deps);
    registerLemonSqueezy(scope, deps);
  });
}
