// A shed request gets the answer that any other overload gets, and the log one line a second.
import { expect, test } from 'vitest';
import { defineErrors, transportErrors } from './errors.ts';
import { createShedder } from './overload-response.ts';
import { presentFailure } from './render-error.ts';

const errors = defineErrors({ ...transportErrors });

function given() {
  const lines: object[] = [];
  let time = 0;
  const logger = { warn: (line: object) => void lines.push(line) };
  const shed = createShedder({ errors, logger: logger as never, path: '/pay', now: () => time });
  return { shed, lines, wait: (ms: number) => (time += ms) };
}

test('the answer is the one of an error that is thrown, request id and extras included', () => {
  const { shed } = given();
  const log = { error: () => {}, warn: () => {} };
  const extras = { package_balance: 5, credit_alert: null };
  const wanted = presentFailure(errors.fail('overloaded'), {
    ...{ errors, requestId: 'req_1', extras, log },
  });
  const { headers, ...rest } = shed('req_1', JSON.stringify(extras).slice(1, -1));
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
  expect({ ...rest, headers: Object.fromEntries(pairs) }).toEqual({
    ...wanted,
    headers: { ...wanted.headers, 'content-type': 'application/json; charset=utf-8' },
  });
  expect(Object.fromEntries(pairs)['retry-after']).toBe('1');
  expect(JSON.parse(shed('req_2', '').body)).toEqual(errors.fail('overloaded').toBody('req_2'));
});

test('many in one second are one line, and the next line says how many there were', () => {
  const { shed, lines, wait } = given();
  for (let i = 0; i < 5; i++) shed('req', '');
  expect(lines).toMatchObject([{ code: 'overloaded', path: '/pay', count: 1 }]);
  wait(1000);
  shed('req', '');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ count: 5 });
});
