// The generated document gives every operation an id, parameters and errors, and is shown at `/docs`.
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../observability/logging.ts';
import { type App, buildApp } from '../app.ts';
import { defineErrors, transportErrors } from '../errors.ts';
import { serveOpenApi } from './openapi.ts';

let app: App;

const errors = defineErrors({
  ...transportErrors,
  key_unknown: { status: 401, msg: 'There is no such key', retryable: false },
  thing_gone: { status: 404, msg: 'The thing is gone', retryable: false },
});

const reference = {
  errors: errors.table,
  glossary: { size: 'How large.', 'owner.name': 'Whose it is.', name: 'What it is called.' },
  descriptions: { 'GET /{thing_id}': 'Reads it.' },
  guards: { key: ['key_unknown'] },
  pathErrors: {},
  operationErrors: { 'GET /things/{thing_id}': ['thing_gone'], 'GET /{thing_id}': [] },
  examples: [
    {
      operation: 'GET /things/{thing_id}',
      request: { path: { thing_id: '7' } },
      status: 200,
      answer: { size: 3 },
    },
  ],
};

beforeEach(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  app = buildApp({ errors, logger });
  await serveOpenApi(app, {
    title: 'Test',
    description: '',
    serverUrl: 'http://x',
    tags: [],
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    reference,
  });
});

afterEach(() => app.close());

it('operation ids are derived from method and path, and an optional body is marked', async () => {
  const body = Type.Object({ a: Type.Optional(Type.String()) });
  app.get('/things/:thing_id', async () => ({}));
  app.post('/things', { schema: { body } }, async () => ({}));
  app.route({ method: ['GET', 'HEAD'], url: '/things', handler: async () => ({}) });
  app.post('/links', { schema: { body }, config: { optionalBody: true } }, async () => ({}));
  const { paths } = (await app.inject({ url: '/openapi.json' })).json();
  expect(paths['/things/{thing_id}'].get.operationId).toBe('get_things_by_thing_id');
  expect(paths['/things'].post).toMatchObject({
    operationId: 'post_things',
    requestBody: { required: true },
  });
  expect(paths['/things'].get.operationId).toBe('get_things');
  expect(paths['/things'].head.operationId).toBe('head_things');
  expect(paths['/links'].post.requestBody.required).toBe(false);
  expect(JSON.stringify(paths)).not.toContain('x-optional');
});

it('the document lists every path parameter, and the errors that every URL can return', async () => {
  const schema = { params: Type.Object({ b: Type.String() }) };
  app.get('/a/:a/b/:b', { schema }, async () => ({}));
  const { paths } = (await app.inject({ url: '/openapi.json' })).json();
  const { parameters, responses } = paths['/a/{a}/b/{b}'].get;
  expect(parameters.map((each: { name: string }) => each.name)).toEqual(['a', 'b']);
  expect(responses.default.description).toContain('`method_not_allowed`');
});

it('an operation gets its descriptions, its errors by status and its examples', async () => {
  const Named = Type.Object({ name: Type.String() });
  const Thing = Type.Object({
    size: Type.Integer(),
    name: Type.String({ description: 'Its own.' }),
    owner: Named,
    parts: Type.Array(Named),
  });
  const schema = {
    security: [{ key: [] }],
    params: Type.Object({ thing_id: Type.String() }),
    response: { 200: Thing, '4xx': Type.Object({}) },
  };
  app.get('/things/:thing_id', { schema }, async () => ({}));
  const { paths, components } = (await app.inject({ url: '/openapi.json' })).json();
  const { parameters, responses, description } = paths['/things/{thing_id}'].get;
  expect(description).toBe('Reads it.');
  expect(parameters[0].example).toBe('7');
  const { schema: answer, example } = responses['200'].content['application/json'];
  expect(example).toEqual({ size: 3 });
  expect(answer.properties.size.description).toBe('How large.');
  expect(answer.properties.name.description).toBe('Its own.');
  expect(answer.properties.owner.properties.name.description).toBe('Whose it is.');
  expect(answer.properties.parts.items.properties.name.description).toBe('What it is called.');
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '404', '500', '503', 'default']);
  const refusals = responses['404'].content['application/json'].schema.allOf;
  expect(refusals[1].properties.code.enum).toEqual(['thing_gone']);
  expect(refusals[0].$ref).toBe('#/components/schemas/Error');
  expect(components.schemas.Error.required).toContain('request_id');
});

it('the service serves /docs, and answers 404 for the index page of Swagger UI', async () => {
  expect((await app.inject({ url: '/docs' })).headers['content-type']).toContain('text/html');
  const script = (await app.inject({ url: '/docs/static/swagger-initializer.js' })).body;
  expect(script).toMatch(/"layout":\s*"BaseLayout"/);
  for (const url of ['/docs/static/index.html', '/docs/static/index.html?a=1']) {
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: 'error', code: 'route_not_found' });
  }
});

it('all answers share the bytes of the document, so slow readers need no memory of their own', async () => {
  const sent: unknown[] = [];
  app.addHook('onSend', async (_request, _reply, payload) => void sent.push(payload));
  for (let i = 0; i < 2; i++) await app.inject({ url: '/openapi.json' });
  expect(sent[0]).toBeInstanceOf(Buffer);
  expect(sent[1]).toBe(sent[0]);
});
