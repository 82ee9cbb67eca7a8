// The check of API compatibility finds every planted break, and allows additions.
import { expect, it } from 'vitest';
import type { Operation, Schema } from '../../http/openapi/document.ts';
import { findBreaks, makePromise } from './openapi-breaks.ts';

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

const body: Schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, kind: { enum: ['a', 'b'] }, note: { type: 'string' } },
};
const answer: Schema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['id', 'state'],
      properties: {
        id: { type: 'integer' },
        state: {
          anyOf: [
            { type: 'string', enum: ['open'] },
            { type: 'string', const: 'closed' },
          ],
        },
        parts: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
      },
    },
  },
};
const refusal: Schema = {
  allOf: [
    { $ref: '#/components/schemas/Error' },
    { type: 'object', properties: { code: { type: 'string', enum: ['gone', 'late'] } } },
  ],
};

const operation: Operation = {
  parameters: [{ in: 'query', name: 'limit', required: false, schema: { type: 'integer' } }],
  requestBody: { required: false, ...json(body) },
  responses: { 200: json(answer), 404: json(refusal) },
};

const documentOf = (post: Operation) => ({ paths: { '/things': { post } } });
const breaksOf = (changed: Operation) => findBreaks(documentOf(operation), documentOf(changed));

/** The same document with one text in it replaced. */
function change(from: string, to: string): Operation {
  const text = JSON.stringify(operation);
  if (!text.includes(from)) throw new Error(`${from} is not in the document`);
  return JSON.parse(text.replace(from, to)) as Operation;
}

it('allows additions and unchanged documents', () => {
  expect(breaksOf(operation)).toEqual([]);
  const more = change('"n":{"type":"number"}', '"n":{"type":"number"},"m":{"type":"string"}');
  expect(breaksOf(more)).toEqual([]);
  expect(breaksOf(change('"gone","late"', '"gone","late","new"'))).toEqual([]);
  expect(breaksOf(change('"note":{', '"more":{"type":"string"},"note":{'))).toEqual([]);
  expect(breaksOf(change('"required":["id"],', ''))).toEqual([]);
  const either = '{"anyOf":[{"type":"string"},{"type":"number"}]}';
  expect(breaksOf(change('"note":{"type":"string"}', `"note":${either}`))).toEqual([]);
  const extra = { in: 'query', name: 'cursor', schema: { type: 'string' } };
  const parameters = [...(operation.parameters ?? []), extra];
  expect(breaksOf({ ...operation, parameters })).toEqual([]);
  const other = { '/things': { post: operation }, '/others': { get: operation } };
  expect(findBreaks(documentOf(operation), { paths: other })).toEqual([]);
});

it.each([
  ['a parameter is gone', '"limit"', '"count"', 'the parameter query limit is gone'],
  ['a parameter is demanded', '"required":false,"schema"', '"required":true,"schema"', 'required'],
  ['a parameter is another', '{"type":"integer"}', '{"type":"string"}', 'was integer'],
  [
    'an answer has another type besides',
    '"n":{"type":"number"}',
    '"n":{"anyOf":[{"type":"number"},{"type":"string"}]}',
    'n was number, and is number or string',
  ],
  [
    'a request is taken in another type only',
    '"note":{"type":"string"}',
    '"note":{"type":"number"}',
    'note was string, and is number',
  ],
  ['the body is demanded', '"required":false,"content"', '"required":true,"content"', 'the body'],
  ['a body’s type is gone', 'application/json', 'application/xml', 'taken no more'],
  ['a field is demanded', '"required":["id"]', '"required":["id","note"]', 'note is required now'],
  ['a field is taken no more', '"note":', '"notes":', 'body.note is gone'],
  ['a value is taken no more', '"enum":["a","b"]', '"enum":["a"]', 'had the value b'],
  [
    'a free text takes certain values only',
    '"note":{"type":"string"}',
    '"note":{"type":"string","enum":["x"]}',
    'certain values',
  ],
  ['an answer’s field is gone', '"n":{', '"m":{', '200.data.parts[].n is gone'],
  ['an answer’s field is another', '"id":{"type":"integer"}', '"id":{"type":"string"}', 'integer'],
  ['an answer’s field may be absent', '["id","state"]', '["id"]', 'state may be absent'],
  ['an answer’s value is gone', '"const":"closed"', '"const":"shut"', 'had the value closed'],
  ['an answer may be null', '{"n":{"type":"number"}}', '{"n":{"type":["number","null"]}}', 'null'],
  ['an error’s code is gone', '"gone","late"', '"late"', 'had the value gone'],
  ['a status is gone', '"404":', '"410":', 'the answer 404 is gone'],
])('%s', (_title, from, to, message) => {
  const found = breaksOf(change(from, to));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).toContain(message);
});

it('allows equivalent forms: numbers in text, enums, alternatives', () => {
  const before = change('{"type":"integer"}', '{"type":"string","pattern":"^[1-9][0-9]{0,8}$"}');
  expect(findBreaks(documentOf(before), documentOf(operation))).toEqual([]);
  const free = change('{"type":"integer"}', '{"type":"string"}');
  expect(findBreaks(documentOf(free), documentOf(operation))).toHaveLength(1);
  expect(breaksOf(change('{"enum":["a","b"]}', '{"type":"string","enum":["a","b"]}'))).toEqual([]);
  const either = '"oneOf":[{"required":["note"]},{"required":["kind"]}],"required":["id"]';
  expect(breaksOf(change('"required":["id"]', either))).toEqual([]);
  const both = '"oneOf":[{"required":["note"]},{"required":["note","kind"]}],"required":["id"]';
  expect(breaksOf(change('"required":["id"]', both))).toEqual([
    'POST /things: body.note is required now',
  ]);
});

it('follows references to named schemas', () => {
  const inner = JSON.stringify(answer.properties?.data);
  const referring = change(inner, '{"$ref":"#/components/schemas/Thing"}');
  const schemas = { Thing: answer.properties?.data ?? {} };
  const after = { ...documentOf(referring), components: { schemas } };
  expect(findBreaks(documentOf(operation), after)).toEqual([]);
  expect(makePromise(after)).toEqual(makePromise(documentOf(operation)));
  const gone = { ...after, components: { schemas: { Thing: { type: 'object' } } } };
  expect(findBreaks(documentOf(operation), gone).join()).toContain('200.data.state is gone');
});

it('finds a removed operation, but ignores those of the panel', () => {
  expect(findBreaks(documentOf(operation), { paths: {} })).toEqual(['POST /things is gone']);
  const ofPanel = documentOf({ ...operation, tags: ['Panel'] });
  expect(findBreaks(ofPanel, { paths: {} })).toEqual([]);
  expect(makePromise(ofPanel).paths).toEqual({});
});

it('a promise omits descriptions and nothing else', () => {
  const fields = { description: { type: 'string', description: 'Prose.' }, example: body };
  const described = { ...operation, description: 'Prose.', ...json({ properties: fields }) };
  const kept = JSON.stringify(makePromise(documentOf(described)));
  expect(kept).not.toContain('Prose');
  expect(kept).toContain('"description":{"type":"string"}');
  expect(findBreaks(documentOf(operation), makePromise(documentOf(operation)))).toEqual([]);
});
