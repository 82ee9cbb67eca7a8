// Every operation of the document has a name of its own, and says what may be left out.
import { Type } from 'typebox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type App, buildApp } from './app.ts';
import { defineErrors, transportErrors } from './errors.ts';
import { createLogger } from './logging.ts';
import { serveOpenApi } from './openapi.ts';

let app: App;

beforeEach(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  app = buildApp({ errors: defineErrors(transportErrors), logger });
  await serveOpenApi(app, {
    title: 'Test',
    version: '1',
    description: '',
    serverUrl: 'http://x',
    tags: [],
    securitySchemes: {},
  });
});

afterEach(() => app.close());

it('names operations by method and path, and marks a body that may be left out', async () => {
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

it('names every parameter of a path, and what any address may answer', async () => {
  const schema = { params: Type.Object({ b: Type.String() }) };
  app.get('/a/:a/b/:b', { schema }, async () => ({}));
  const { paths } = (await app.inject({ url: '/openapi.json' })).json();
  const { parameters, responses } = paths['/a/{a}/b/{b}'].get;
  expect(parameters.map((each: { name: string }) => each.name)).toEqual(['a', 'b']);
  expect(responses.default.content['application/json'].schema.required).toContain('request_id');
});

it('the page is served, and no address below it sends anyone elsewhere', async () => {
  expect((await app.inject({ url: '/docs' })).headers['content-type']).toContain('text/html');
  for (const url of ['/docs/static/index.html', '/docs/static/index.html?a=1']) {
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: 'error', code: 'route_not_found' });
  }
});
