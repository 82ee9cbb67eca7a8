// The checks of an API reference report gaps, and examples that differ from the answers of the service.
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

it('the check finds no gap in a complete reference', () => {
  expect(gapsOf()).toEqual([]);
});

it.each<[string, string, Partial<Reference>, Partial<Operation>]>([
  ['an operation without a summary', 'has no summary', {}, { summary: '' }],
  ['an operation without a description', 'has no description', { descriptions: {} }, {}],
  [
    'a body field without a description',
    ': size has no description',
    { glossary: { id: '.', limit: '.' } },
    {},
  ],
  [
    'an answer field without a description',
    ': id has no description',
    { glossary: { size: '.', limit: '.' } },
    {},
  ],
  [
    'a parameter without a description',
    ': ?limit has no description',
    { glossary: { id: '.', size: '.' } },
    {},
  ],
  ['an operation without an example', 'has no example', { examples: [] }, {}],
  [
    'a number in the body without a maximum',
    ': size has no maximum',
    {},
    { requestBody: json({ size: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }) },
  ],
  [
    'a list of numbers without a maximum',
    ': size has no maximum',
    {},
    { requestBody: json({ size: { type: 'array', items: { type: ['integer', 'null'] } } }) },
  ],
  [
    'a number parameter without a maximum',
    ': ?limit has no maximum',
    {},
    { parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer' } }] },
  ],
  ['an error that no operation lists', 'thing_gone is listed at no operation', { operationErrors: {} }, {}],
  ['an unknown error code', 'thing_lost is not in the error table', { guards: { key: ['thing_lost'] } }, {}],
  ['errors of an unknown path parameter', 'is in no path', { pathErrors: { '{id}': ['thing_gone'] } }, {}],
  [
    'errors of an unknown operation',
    'which does not exist',
    { operationErrors: { ...reference.operationErrors, 'GET /gone': [] } },
    {},
  ],
  [
    'an example of an unknown operation',
    'which does not exist',
    { examples: [example, { ...example, operation: 'GET /gone' }] },
    {},
  ],
  [
    'an unused glossary entry',
    'which is the name of no field',
    { glossary: { ...reference.glossary, width: 'How wide.' } },
    {},
  ],
])('the check reports %s', (_title, message, more, changed) => {
  const gaps = gapsOf(more, changed);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toContain(message);
});

it.each<[string, Partial<typeof example> & object, number]>([
  ['the same answer', {}, 0],
  ['a different status', { status: 404 }, 1],
  ['a different shape', { answer: { id: 7, more: 1 } as never }, 1],
  ['a violated schema', { answer: { id: 'seven' } as never }, 2],
  ['a type that is not documented', { answer: 'text' as never }, 2],
])('the check compares an example with the answer of the service: %s', (_title, played, count) => {
  const post = completeOperation(name, operation, reference);
  const found = findFalseExamples([example], [{ ...example, ...played }], {
    paths: { '/things': { post } },
  });
  expect(found).toHaveLength(count);
});

it('the check reports an example without an answer', () => {
  const post = completeOperation(name, operation, reference);
  const unplayed = { ...example, answer: null };
  expect(findFalseExamples([unplayed], [example], { paths: { '/things': { post } } })).toHaveLength(1);
});
