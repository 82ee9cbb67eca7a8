// Generates the OpenAPI 3.1 document from the schemas of the routes, and serves it with a page.
import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { Type } from 'typebox';
import type { App } from '../app.ts';
import { transportErrors } from '../errors.ts';
import { completeOperation, refusal } from './complete-operation.ts';
import type { Operation, Parameter } from './document.ts';
import { escapeUnseen } from './document.ts';
import { nameSchemas } from './name-schemas.ts';
import type { Reference } from './reference.ts';
import { showSchema } from './schema-marks.ts';
import { type DocumentedEvent, presentWebhooks } from './webhooks.ts';

export interface OpenApiOptions {
  readonly title: string;
  readonly description: string;
  readonly serverUrl: string;
  readonly tags: { name: string; description: string }[];
  readonly securitySchemes: Record<string, object>;
  /** The events by type. If there are events, the document has the tag `Webhooks`. */
  readonly events?: Readonly<Record<string, DocumentedEvent>>;
  /** The descriptions, errors and examples of the API reference. */
  readonly reference: Reference;
}

/** The error shape, for the answers of every route. */
export const ErrorAnswer = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.String({ description: 'Stable, for programs.' }),
    msg: Type.String({ description: 'For people.' }),
    request_id: Type.String({ description: 'The id of this request, for questions to support.' }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'The problems of each invalid field.',
      }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Additional data, such as the balance that was too low.',
      }),
    ),
  },
  { description: 'The shape of every error answer.' },
);

const optionalBody = 'x-optional-body';

type RawOperation = Operation & { readonly [optionalBody]?: boolean };
interface Generated {
  readonly paths?: Paths;
  readonly components?: { readonly schemas?: object };
}
type Paths = Record<string, Record<string, RawOperation>>;

/**
 * Lists the parameters of a path, including parameters that only the access policy reads and that no schema
 * names.
 */
function listParameters(path: string, given: readonly Parameter[] = []): readonly Parameter[] {
  const isNamed = (name: string) => given.some((each) => each.in === 'path' && each.name === name);
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isNamed(name))
    .map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }));
  return [...missing, ...given];
}

/** Completes each operation and gives it a unique id, from which client generators derive function names. */
function settleOperations(paths: Paths, reference: Reference): void {
  // Errors that every URL can return before its operation runs: wrong method, size, type or header.
  const anyRefusal = refusal(Object.keys(transportErrors), reference);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { [optionalBody]: isOptional, requestBody, ...rest } = operation;
      const parameters = listParameters(path, rest.parameters);
      // The operation is copied, because a route with two methods has one object for both methods.
      const settled = completeOperation(
        `${method.toUpperCase()} ${path}`,
        {
          ...rest,
          ...(parameters.length > 0 && { parameters }),
          ...(requestBody && { requestBody: { ...requestBody, ...(isOptional && { required: false }) } }),
          operationId: makeOperationId(method, path),
          // Without `security` the document would not say whether credentials are needed.
          security: rest.security ?? [],
        },
        reference,
      );
      operations[method] = {
        ...settled,
        responses: { ...settled.responses, default: anyRefusal },
      };
    }
  }
}

/** Makes the id of an operation: `GET /api/items/{item_id}` is `get_api_items_by_item_id`. */
const makeOperationId = (method: string, path: string): string =>
  [method, ...path.split('/').map((part) => part.replace(/^\{(.*)\}$/, 'by_$1'))]
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

/** The version that all npm packages of the repository share. */
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export async function serveOpenApi(app: App, options: OpenApiOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: options.title,
        version,
        description: options.description,
        contact: { name: 'The operator of this service', url: options.serverUrl },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: options.serverUrl }],
      tags: options.tags,
      components: {
        securitySchemes: options.securitySchemes as never,
        schemas: { Error: showSchema(ErrorAnswer) as never },
      },
    },
    // Passes the setting `optionalBody` of the route to `settleOperations`.
    transform: ({ schema, url, route }) => ({
      schema: { ...showSchema(schema), ...(route.config?.optionalBody && { [optionalBody]: true }) },
      url,
    }),
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: Generated };
      const { paths = {}, components } = openapiObject;
      settleOperations(paths, options.reference);
      const webhooks = presentWebhooks(options.events ?? {}, options.reference);
      const { value, schemas } = nameSchemas({ paths, webhooks });
      return {
        ...openapiObject,
        ...value,
        components: { ...components, schemas: { ...components?.schemas, ...schemas } },
      } as never;
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The index page of the plug-in is disabled. It only redirects. If its URL has a query, it redirects to
    // itself in an endless loop.
    uiHooks: {
      onRequest: (request, reply, done) => {
        if (request.routeOptions.url === '/docs/static/index.html') reply.callNotFound();
        else done();
      },
    },
    theme: { title: options.title },
    // The top bar of the default layout can load a document from any address. This layout has no top bar.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    // The content security policy allows only content of this service, inline styles and `data:` images. It
    // does not upgrade http to https, because a local service has no TLS.
    staticCSP:
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
  // All answers share these bytes. A text would be copied for each client that does not read its answer.
  let document: Buffer | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= Buffer.from(escapeUnseen(JSON.stringify(app.swagger())));
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
