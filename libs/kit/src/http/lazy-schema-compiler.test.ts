// Lazily compiled schemas apply from the first request, and all are compiled soon after the start.
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLazySchemaCompiler } from './lazy-schema-compiler.ts';

const body = {
  type: 'object',
  required: ['age'],
  properties: { age: { type: 'integer' } },
} as const;
const response = { 200: { type: 'object', properties: { seen: { type: 'integer' } } } } as const;

function buildWith(compilers: ReturnType<typeof createLazySchemaCompiler>) {
  const app = fastify({ schemaController: { compilersFactory: compilers.factory } });
  app.post('/', { schema: { body, response } }, async () => ({ seen: 1, secret: 'kept back' }));
  return app;
}

describe('lazily compiled schemas', () => {
  it('lazily compiled schemas apply from the first request on', async () => {
    const app = buildWith(createLazySchemaCompiler());
    const send = (payload: object) => app.inject({ method: 'POST', url: '/', payload });
    const refused = await send({ age: 'old' });
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'body/age must be integer']);
    expect((await send({})).json().message).toBe("body must have required property 'age'");
    expect((await send({ age: 3 })).json()).toEqual({ seen: 1 });
    expect((await send({ age: 'old' })).statusCode).toBe(400);
  });

  it('lazily compiled schemas are compiled on first use, or one by one after the start', async () => {
    const compilers = createLazySchemaCompiler();
    const app = buildWith(compilers);
    await app.ready();
    let compiled = 0;
    while (compilers.compileNext()) compiled++;
    expect(compiled).toBeGreaterThanOrEqual(2);
    expect(compilers.compileNext()).toBe(false);
    const answer = await app.inject({ method: 'POST', url: '/', payload: { age: 3 } });
    expect(answer.json()).toEqual({ seen: 1 });
  });

  it('after stop(), schemas are compiled only on first use, and requests are still validated', async () => {
    const compilers = createLazySchemaCompiler();
    const app = buildWith(compilers);
    await app.ready();
    compilers.stop();
    expect(compilers.compileNext()).toBe(false);
    const answer = await app.inject({ method: 'POST', url: '/', payload: { age: 'old' } });
    expect(answer.statusCode).toBe(400);
  });

  it('an invalid schema causes an error when it is compiled', async () => {
    const compilers = createLazySchemaCompiler();
    const app = fastify({ schemaController: { compilersFactory: compilers.factory } });
    app.post('/', { schema: { body: { type: 'nothing such' } } }, async () => ({}));
    await app.ready();
    const compileAll = () => {
      while (compilers.compileNext());
    };
    expect(compileAll).toThrow(/type/);
  });
});
