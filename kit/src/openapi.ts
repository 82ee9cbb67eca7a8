// OpenAPI 3.1 from the very schemas that validate, and a page to read it on.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { Type } from 'typebox';
import type { App } from './app.ts';

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly serverUrl: string;
  readonly tags: { name: string; description: string }[];
  readonly securitySchemes: Record<string, object>;
}

/** The one error shape, for every route's list of answers. */
export const ErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.String({ description: 'Stable, for programs.' }),
    msg: Type.String({ description: 'For people.' }),
    request_id: Type.String({ description: 'Name it when you ask us about this request.' }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Field → sentences, where a field is at fault.',
      }),
    ),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: 'Whatever went wrong, in the one error shape.' },
);

export async function serveOpenApi(app: App, options: OpenApiOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: options.title, version: options.version, description: options.description },
      servers: [{ url: options.serverUrl }],
      tags: options.tags,
      components: { securitySchemes: options.securitySchemes as never },
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    // Nothing from elsewhere, and plain http stays plain http on a laptop.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').serializer(String).send(document);
  });
}
