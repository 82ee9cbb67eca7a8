// The check of API compatibility reports every change that breaks clients, and allows additions.
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

/** Returns a copy of the operation in which the text `from` is replaced by `to`. */
function change(from: string, to: string): Operation {
  const text = JSON.stringify(operation);
  if (!text.includes(from)) throw new Error(`${from} is not in the document`);
  return JSON.parse(text.replace(from, to)) as Operation;
}

it('the check allows unchanged documents, additions, and looser rules for requests', () => {
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
  ['a parameter is removed', '"limit"', '"count"', 'the parameter query limit is gone'],
  ['a parameter becomes required', '"required":false,"schema"', '"required":true,"schema"', 'required'],
  ['a parameter changes its type', '{"type":"integer"}', '{"type":"string"}', 'was integer'],
  [
    'a field of an answer gets a second type',
    '"n":{"type":"number"}',
    '"n":{"anyOf":[{"type":"number"},{"type":"string"}]}',
    'n was number, and is number or string',
  ],
  [
    'a field of a request changes its type',
    '"note":{"type":"string"}',
    '"note":{"type":"number"}',
    'note was string, and is number',
  ],
  ['the body becomes required', '"required":false,"content"', '"required":true,"content"', 'the body'],
  ['a content type of the body is removed', 'application/json', 'application/xml', 'no longer accepted'],
  [
    'a field of a request becomes required',
    '"required":["id"]',
    '"required":["id","note"]',
    'note is required now',
  ],
  ['a field of a request is removed', '"note":', '"notes":', 'body.note is gone'],
  ['a value of a request is removed', '"enum":["a","b"]', '"enum":["a"]', 'lost the value b'],
  [
    'a text of a request is limited to listed values',
    '"note":{"type":"string"}',
    '"note":{"type":"string","enum":["x"]}',
    'only listed values',
  ],
  ['a field of an answer is removed', '"n":{', '"m":{', '200.data.parts[].n is gone'],
  ['a field of an answer changes its type', '"id":{"type":"integer"}', '"id":{"type":"string"}', 'integer'],
  ['a field of an answer becomes optional', '["id","state"]', '["id"]', 'state may be absent'],
  ['a value of an answer is removed', '"const":"closed"', '"const":"shut"', 'lost the value closed'],
  ['a field of an answer may be null', '{"n":{"type":"number"}}', '{"n":{"type":["number","null"]}}', 'null'],
  ['an error code is removed', '"gone","late"', '"late"', 'lost the value gone'],
  ['a status of an answer is removed', '"404":', '"410":', 'the answer 404 is gone'],
])('the check reports a break if %s', (_title, from, to, message) => {
  const found = breaksOf(change(from, to));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).toContain(message);
});

it('the check recognises equivalent forms of a schema: digits as text, enums, alternatives', () => {
  const before = change('{"type":"integer"}', '{"type":"string","pattern":"^[1-9][0-9]{0,8}$"}');
  expect(findBreaks(documentOf(before), documentOf(operation))).toEqual([]);
  const free = change('{"type":"integer"}', '{"type":"string"}');
  expect(findBreaks(documentOf(free), documentOf(operation))).toHaveLength(1);
  expect(breaksOf(change('{"enum":["a","b"]}', '{"type":"string","enum":["a","b"]}'))).toEqual([]);
  const either = '"oneOf":[{"required":["note"]},{"required":["kind"]}],"required":["id"]';
  expect(breaksOf(change('"required":["id"]', either))).toEqual([]);
  const both = '"oneOf":[{"required":["note"]},{"required":["note","kind"]}],"required":["id"]';
  expect(breaksOf(change('"required":["id"]', both))).toEqual(['POST /things: body.note is required now']);
});

it('the check follows references to named schemas', () => {
  const inner = JSON.stringify(answer.properties?.data);
  const referring = change(inner, '{"$ref":"#/components/schemas/Thing"}');
  const schemas = { Thing: answer.properties?.data ?? {} };
  const after = { ...documentOf(referring), components: { schemas } };
  expect(findBreaks(documentOf(operation), after)).toEqual([]);
  expect(makePromise(after)).toEqual(makePromise(documentOf(operation)));
  const gone = { ...after, components: { schemas: { Thing: { type: 'object' } } } };
  expect(findBreaks(documentOf(operation), gone).join()).toContain('200.data.state is gone');
});

it('the check reports a removed operation, but ignores operations of the panel', () => {
  expect(findBreaks(documentOf(operation), { paths: {} })).toEqual(['POST /things is gone']);
  const ofPanel = documentOf({ ...operation, tags: ['Panel'] });
  expect(findBreaks(ofPanel, { paths: {} })).toEqual([]);
  expect(makePromise(ofPanel).paths).toEqual({});
});

it('the document stored for a release omits descriptions, but keeps a field “description”', () => {
  const fields = { description: { type: 'string', description: 'Prose.' }, example: body };
  const described = { ...operation, description: 'Prose.', ...json({ properties: fields }) };
  const kept = JSON.stringify(makePromise(documentOf(described)));
  expect(kept).not.toContain('Prose');
  expect(kept).toContain('"description":{"type":"string"}');
  expect(findBreaks(documentOf(operation), makePromise(documentOf(operation)))).toEqual([]);
});
