// PUT {private}/v1/packages/{uid}: the wallet says where a package's callbacks go.
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import type { PackageBook } from './package-book.ts';
import { parseRegistration, RegistrationBody, Uid } from './registration.ts';

export function registerPackageRoutes(app: App, packages: PackageBook): void {
  const schema = { params: Type.Object({ uid: Uid }), body: RegistrationBody };
  app.put('/v1/packages/:uid', { schema }, async (request) => {
    await packages.register(parseRegistration(request.params.uid, request.body));
    return { registered_at: new Date().toISOString() };
  });
}
