// The parts of the API reference that are not in the schemas. The examples in examples.json are real calls.
import { readFileSync } from 'node:fs';
import type { Example, Reference } from '@counterfoil/kit/http/openapi/reference';
import { errors } from '../errors.ts';
import { descriptions } from './descriptions.ts';
import { guards, operationErrors, pathErrors } from './errors-by-operation.ts';
import { glossary } from './glossary.ts';

const file = new URL('../../reference/examples.json', import.meta.url);

export const reference: Reference = {
  errors: errors.table,
  glossary,
  descriptions,
  guards,
  pathErrors,
  operationErrors,
  examples: JSON.parse(readFileSync(file, 'utf8')) as Example[],
  onErrorsToo: ['package_balance', 'credit_alert', 'balance'],
};
