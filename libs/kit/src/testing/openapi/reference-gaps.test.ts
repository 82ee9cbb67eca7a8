// Each planted gap and each false example is found.
import { expect, it } from 'vitest';
import { transportErrors } from '../../http/errors.ts';
import { completeOperation } from '../../http/openapi/complete-operation.ts';
import type { Operation, Schema } from '../../http/openapi/document.ts';
import type { Reference } from '../../http/openapi/reference.ts';
import { findFalseExamples } from './play-examples.ts';
import { findReferenceGaps } from './reference-gaps.ts';

const gone = { status: 404, msg: 'It is gone', retryable: false };
const name = 'POST /things';
const example = { operation: name, request: { body: { size: 1 } }, status: 200, answer: { id: 7 } };

const reference: Reference = {
  errors: { ...transportErrors, thing_gone: gone },
  glossary: { id: 'Which.', size: 'How large.', limit: 'How many.' },
  descriptions: { [name]: 'Makes one.' },
  guards: {},
  pathErrors: {},
  operationErrors: { [name]: ['thing_gone'] },
  examples: [example],
};

const json = (fields: Record<string, Schema>) => ({
  content: { 'application/json': { schema: { type: 'object', properties: fields } } },
});
const operation: Operation = {
  summary: 'Make a thing',
  parameters: [{ in: 'query', name: 'limit' }],
  requestBody: json({ size: { type: 'integer', maximum: 9 } }),
  responses: { 200: json({ id: { type: 'integer' } }) },
};

function gapsOf(more: Partial<Reference> = {}, changed: Partial<Operation> = {}): string[] {
  const whole = { ...reference, ...more };
  const post = completeOperation(name, { ...operation, ...changed }, whole);
  const settings = { reference: whole, isForOthers: () => true, onlyCommands: [] };
  return findReferenceGaps({ paths: { '/things': { post } } }, settings);
}

it('finds no gap in a complete reference', () => {
  expect(gapsOf()).toEqual([]);
});

it.each<[string, string, Partial<Reference>, Partial<Operation>]>([
  ['no summary', 'has no summary', {}, { summary: '' }],
  ['no description', 'has no description', { descriptions: {} }, {}],
  ['a field of the body', ': size has no description', { glossary: { id: '.', limit: '.' } }, {}],
  ['a field of the answer', ': id has no description', { glossary: { size: '.', limit: '.' } }, {}],
  ['a parameter', ': ?limit has no description', { glossary: { id: '.', size: '.' } }, {}],
  ['no example', 'has no example', { examples: [] }, {}],
  [
    'a number of the body without an end',
    ': size has no maximum',
    {},
    { requestBody: json({ size: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }) },
  ],
  [
    'a number among many without an end',
    ': size has no maximum',
    {},
    { requestBody: json({ size: { type: 'array', items: { type: ['integer', 'null'] } } }) },
  ],
  [
    'a parameter without an end',
    ': ?limit has no maximum',
    {},
    { parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer' } }] },
  ],
  [
    'an error that stands nowhere',
    'thing_gone stands at no operation',
    { operationErrors: {} },
    {},
  ],
  ['what is no error', 'thing_lost is no error', { guards: { key: ['thing_lost'] } }, {}],
  ['errors of no path', 'is in no path', { pathErrors: { '{id}': ['thing_gone'] } }, {}],
  [
    'errors of no operation',
    'which is no operation',
    { operationErrors: { ...reference.operationErrors, 'GET /gone': [] } },
    {},
  ],
  [
    'an example of no operation',
    'which is no operation',
    { examples: [example, { ...example, operation: 'GET /gone' }] },
    {},
  ],
  [
    'a word that explains nothing',
    'which nothing is called',
    { glossary: { ...reference.glossary, width: 'How wide.' } },
    {},
  ],
])('%s is found', (_title, message, more, changed) => {
  const gaps = gapsOf(more, changed);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toContain(message);
});

it.each<[string, Partial<typeof example> & object, number]>([
  ['the same', {}, 0],
  ['another status', { status: 404 }, 1],
  ['another shape', { answer: { id: 7, more: 1 } as never }, 1],
  ['a broken schema', { answer: { id: 'seven' } as never }, 2],
  ['a type that is not documented', { answer: 'text' as never }, 2],
])('%s: an example is compared with the answer of the service', (_title, played, count) => {
  const post = completeOperation(name, operation, reference);
  const found = findFalseExamples([example], [{ ...example, ...played }], {
    paths: { '/things': { post } },
  });
  expect(found).toHaveLength(count);
});

it('an example without an answer is false', () => {
  const post = completeOperation(name, operation, reference);
  const unplayed = { ...example, answer: null };
  expect(findFalseExamples([unplayed], [example], { paths: { '/things': { post } } })).toHaveLength(
    1,
  );
});
