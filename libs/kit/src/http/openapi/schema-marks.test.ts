// The document shows marked schemas in another form, but the route validates with the original schemas.
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { hidden, named, shownAs, shownWith, showSchema } from './schema-marks.ts';

it('the document shows the type given to `shownAs`, with the original description and examples', () => {
  const text = Type.String({ pattern: '^[0-9]+$', description: 'How many.', examples: [5] });
  const query = Type.Object({ limit: Type.Optional(shownAs(text, { type: 'integer' })) });
  expect(showSchema({ querystring: query })).toEqual({
    querystring: {
      type: 'object',
      properties: { limit: { type: 'integer', description: 'How many.', examples: [5] } },
    },
  });
  expect(query.properties.limit).toMatchObject({ type: 'string', pattern: '^[0-9]+$' });
});

it('the document shows schema names and rules between fields, and omits hidden fields', () => {
  const body = Type.Object({ a: Type.String(), origin: hidden(Type.String()) });
  expect(showSchema(shownWith(body, { oneOf: [{ required: ['a'] }] }))).toMatchObject({
    properties: { a: { type: 'string' } },
    oneOf: [{ required: ['a'] }],
  });
  expect(showSchema(body)).not.toHaveProperty('properties.origin');
  const list = Type.Array(named('Thing', Type.Object({})));
  expect(showSchema(list)).toMatchObject({ items: { 'x-schema-name': 'Thing' } });
});

it('the document shows a union of single values as an enum', () => {
  const either = Type.Union([Type.Literal('credit'), Type.Literal('debit')], {
    description: 'It.',
  });
  const values = { type: 'string', enum: ['credit', 'debit'] };
  expect(showSchema(either)).toEqual({ ...values, description: 'It.' });
  expect(showSchema(Type.Enum(['credit', 'debit']))).toEqual(values);
  const orNull = Type.Union([Type.Enum(['credit', 'debit']), Type.Null()]);
  expect(showSchema(orNull)).toEqual({ anyOf: [values, { type: 'null' }] });
  expect(showSchema(Type.Union([Type.Literal('a'), Type.Literal(1)]))).toEqual({ enum: ['a', 1] });
});

it('the document shows a record as an object with additional properties', () => {
  const record = Type.Record(Type.String(), Type.Integer());
  expect(showSchema(record)).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
});
