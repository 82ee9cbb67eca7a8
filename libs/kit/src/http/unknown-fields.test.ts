// Routes below a listed prefix refuse unknown fields at every depth of a body, and the error names the
// fields. All other routes accept unknown fields.
import Fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { App } from './app.ts';
import { refuseUnknownFields } from './unknown-fields.ts';

function build() {
  const app = Fastify({
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } },
  });
  refuseUnknownFields(app as unknown as App, {
    below: ['/admin/'],
    except: ['/admin/open'],
    query: ['key'],
    fail: (code, { errors }) =>
      Object.assign(new Error(Object.keys(errors).join()), { statusCode: 400, code }),
  });
  const body = Type.Object({
    amount: Type.Optional(Type.Integer()),
    lines: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }))),
    either: Type.Optional(Type.Union([Type.Null(), Type.Object({ name: Type.Optional(Type.String()) })])),
    notes: Type.Optional(Type.Record(Type.String(), Type.String())),
    free: Type.Optional(Type.Object({}, { additionalProperties: true })),
  });
  for (const path of ['/admin/top-ups', '/admin/open', '/published']) {
    app.post(path, { schema: { body } }, async () => ({}));
  }
  const querystring = Type.Object({ dry_run: Type.Optional(Type.String()) });
  for (const path of ['/admin/refund', '/published/refund']) {
    app.post(path, { schema: { querystring } }, async () => ({}));
    app.get(path, { schema: { querystring } }, async () => ({}));
  }
  const send = async (url: string, payload?: object) => {
    const { statusCode } = await app.inject({ method: 'POST', url, ...(payload && { payload }) });
    return statusCode;
  };
  const read = async (url: string) => (await app.inject({ url })).statusCode;
  return { app, send, read };
}

describe('an unknown field', () => {
  it.each([{ amount: 1, reverse: true }, { lines: [{ id: 1, Id: 2 }] }, { either: { nmae: 'x' } }])(
    'an unknown field is refused: %j',
    async (payload) => {
      const { send } = build();
      expect(await send('/admin/top-ups', payload)).toBe(400);
      expect(await send('/admin/open', payload)).toBe(200);
      expect(await send('/published', payload)).toBe(200);
    },
  );

  it('an unknown field is accepted if the schema allows any name', async () => {
    const { send } = build();
    const payload = { amount: 1, notes: { any: 'text' }, free: { any: 1 }, either: { name: 'x' } };
    expect(await send('/admin/top-ups', payload)).toBe(200);
  });

  it('an unknown field is refused if the operation expects no body', async () => {
    const { send } = build();
    expect(await send('/admin/refund', { amount: 5 })).toBe(400);
    expect(await send('/admin/refund', {})).toBe(200);
    expect(await send('/admin/refund')).toBe(200);
    expect(await send('/published/refund', { amount: 5 })).toBe(200);
  });

  it.each(['[{"dry_run":true}]', '[]', '"dry_run"', '1', 'false', 'null'])(
    'JSON that is not an object is refused if the operation expects no body: %s',
    async (payload) => {
      const { app } = build();
      const headers = { 'content-type': 'application/json' };
      const post = (url: string) => app.inject({ method: 'POST', url, headers, payload });
      const answer = await post('/admin/refund');
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'invalid_body', message: 'body' });
      expect((await post('/published/refund')).statusCode).toBe(200);
    },
  );

  it('an unknown field is refused in the query of an operation that writes', async () => {
    const { send, read } = build();
    expect(await send('/admin/refund?dryrun=true')).toBe(400);
    expect(await send('/admin/refund?dry_run=true&key=k')).toBe(200);
    expect(await send('/published/refund?dryrun=true')).toBe(200);
    expect(await read('/admin/refund?dryrun=true')).toBe(200);
  });

  it('the error names the field: a long name is cut, and an empty name is shown as ""', async () => {
    const { app } = build();
    const name = async (payload: object) =>
      (await app.inject({ method: 'POST', url: '/admin/refund', payload })).json().message;
    expect(await name({ ['n'.repeat(5000)]: 1 })).toBe(`${'n'.repeat(100)}…`);
    expect(await name({ '': 1 })).toBe('""');
  });
});
