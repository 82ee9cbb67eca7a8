// PUT {private}/v1/packages/{uid}: the wallet registers a package and its callback address.
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type PackageRegistry, parseRegistration, RegistrationBody, Uid } from './packages.ts';

export function registerPackageRoutes(app: App, packages: PackageRegistry): void {
  const schema = { params: Type.Object({ uid: Uid }), body: RegistrationBody };
  app.put('/v1/packages/:uid', { schema }, async (request) => {
    await packages.register(parseRegistration(request.params.uid, request.body));
    return { registered_at: new Date().toISOString() };
  });
}
