// The routes of the panel are in the OpenAPI document, with the schemas that validate them.

import { buildApp } from '@counterfoil/kit/http/app';
import { serveOpenApi } from '@counterfoil/kit/http/openapi/openapi';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { signInReference } from './reference.ts';
import { registerSignInRoutes } from './routes.ts';
import { openSignInDesk, type SignInDesk } from './testing/sign-in-app.ts';

let desk: SignInDesk;
beforeAll(async () => {
  desk = await openSignInDesk(inject('testServer'));
});
afterAll(() => desk.close());

it('every route is documented, with its answers and whether it needs a session', async () => {
  const { errors } = desk.signIn;
  const app = buildApp({ errors, logger: createLogger({ service: 'desk', level: 'silent' }) });
  await serveOpenApi(app, {
    title: 'Desk',
    description: '',
    serverUrl: 'http://x.example',
    tags: [],
    securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'desk' } },
    reference: {
      ...signInReference,
      errors: errors.table,
      descriptions: {},
      pathErrors: {},
      examples: [],
    },
  });
  registerSignInRoutes(app, desk.signIn);
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, { tags: string[]; responses: object; security: object[] }>>;
  }>();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ name: `${method} ${path}`, ...route })),
  );
  for (const route of routes) {
    expect(route.tags).toEqual(['Panel']);
    expect(Object.keys(route.responses)).toEqual(expect.arrayContaining(['200', '500', 'default']));
    expect(Object.keys(route.responses)).not.toContain('4XX');
  }
  const named = (needsSession: boolean) =>
    routes.filter((route) => route.security.length > 0 === needsSession).map((r) => r.name);
  expect(named(false).sort()).toEqual([
    'delete /panel/session',
    'post /panel/links/inspect',
    'post /panel/links/redeem',
    'post /panel/password-resets',
    'post /panel/session',
  ]);
  expect(named(true).sort()).toEqual([
    'delete /panel/second-factor',
    'delete /panel/sessions/{id}',
    'get /panel/session',
    'get /panel/sessions',
    'post /panel/password',
    'post /panel/second-factor',
    'post /panel/second-factor/confirm',
  ]);
  await app.close();
});
