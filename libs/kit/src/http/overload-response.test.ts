// The prepared overload answer equals a thrown overload error, and the log gets one line per second.
import { expect, test } from 'vitest';
import { defineErrors, transportErrors } from './errors.ts';
import { createOverloadResponder } from './overload-response.ts';
import { presentFailure } from './render-error.ts';

const errors = defineErrors({ ...transportErrors });

function given() {
  const lines: object[] = [];
  let time = 0;
  const logger = { warn: (line: object) => void lines.push(line) };
  const respond = createOverloadResponder({
    errors,
    logger: logger as never,
    path: '/pay',
    now: () => time,
  });
  return { respond, lines, wait: (ms: number) => (time += ms) };
}

test('the overload answer equals the answer to a thrown error, with request id and extra fields', () => {
  const { respond } = given();
  const log = { error: () => {}, warn: () => {} };
  const extras = { package_balance: 5, credit_alert: null };
  const wanted = presentFailure(errors.fail('overloaded', { extras }), {
    errors,
    requestId: 'req_1',
    log,
  });
  const { headers, ...rest } = respond('req_1', JSON.stringify(extras).slice(1, -1));
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
  expect({ ...rest, headers: Object.fromEntries(pairs) }).toEqual({
    ...wanted,
    headers: { ...wanted.headers, 'content-type': 'application/json; charset=utf-8' },
  });
  expect(Object.fromEntries(pairs)['retry-after']).toBe('1');
  expect(JSON.parse(respond('req_2', '').body)).toEqual(errors.fail('overloaded').toBody('req_2'));
});

test('overload answers are logged once per second, with their number since the last log line', () => {
  const { respond, lines, wait } = given();
  for (let i = 0; i < 5; i++) respond('req', '');
  expect(lines).toMatchObject([{ code: 'overloaded', path: '/pay', count: 1 }]);
  wait(1000);
  respond('req', '');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ count: 5 });
});
