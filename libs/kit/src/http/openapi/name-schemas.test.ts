// A named schema is in the document once and is referenced where it is used.
import { expect, it } from 'vitest';
import { inlineSchemas, nameSchemas } from './name-schemas.ts';

const thing = (description: string) => ({
  'x-schema-name': 'Thing',
  type: 'object',
  description,
  properties: { id: { type: 'integer', description: `Of ${description}` } },
});

it('the document keeps the description of each use of a schema next to the reference', () => {
  const { value, schemas } = nameSchemas({ a: thing('one'), b: [thing('another')] });
  expect(value).toEqual({
    a: { $ref: '#/components/schemas/Thing', description: 'one' },
    b: [{ $ref: '#/components/schemas/Thing', description: 'another' }],
  });
  const properties = { id: { type: 'integer', description: 'Of one' } };
  expect(schemas).toEqual({ Thing: { type: 'object', properties } });
  const paths = value as never;
  expect(inlineSchemas({ paths, components: { schemas } }).paths).toMatchObject({
    a: { type: 'object', description: 'one', properties },
  });
});

it('two different schemas with the same name cause an error', () => {
  const other = { ...thing('other'), properties: {} };
  expect(() => nameSchemas([thing('one'), other])).toThrow('called Thing');
});
