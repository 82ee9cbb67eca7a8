// The reader of answers finds complete answers in chunks of any size.
import { expect, it } from 'vitest';
import { createAnswerReader } from './answer-reader.ts';

const answer = (status: number, body: string) =>
  `HTTP/1.1 ${status} X\r\nx: y\r\nContent-Length: ${body.length}\r\nDate: now\r\n\r\n${body}`;

it('an answer that arrives in one chunk is returned at once', () => {
  const reader = createAnswerReader();
  expect(reader.read(Buffer.from(answer(200, '{"a":1}')))).toEqual({ status: 200 });
  expect(reader.read(Buffer.from(answer(503, '')))).toEqual({ status: 503 });
  const body = '{"status":"error","code":"overloaded"}';
  expect(reader.read(Buffer.from(answer(503, body)))).toEqual({ status: 503, code: 'overloaded' });
});

it('an answer that arrives byte by byte is returned only after its last byte', () => {
  const reader = createAnswerReader();
  const bytes = Buffer.from(answer(200, 'body\r\n\r\nbody'));
  const read = [...bytes].map((byte) => reader.read(Buffer.from([byte])));
  expect(read.slice(0, -1).every((each) => each === undefined)).toBe(true);
  expect(read.at(-1)).toEqual({ status: 200 });
});

it('the last answer of a connection is reported as such', () => {
  const last = (status: number) =>
    answer(status, '{}').replace('Date: now', 'Connection: close\r\nDate: now');
  expect(createAnswerReader().read(Buffer.from(last(200)))).toEqual({ status: 200, isLast: true });
  expect(createAnswerReader().read(Buffer.from(last(503)))).toEqual({ status: 503, isLast: true });
});

it('an answer without Content-Length is refused, and so are bytes after the end of an answer', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  expect(() => createAnswerReader().read(Buffer.from(chunked))).toThrow('without a length');
  const two = answer(200, 'a') + answer(200, 'b');
  expect(() => createAnswerReader().read(Buffer.from(two))).toThrow('after the answer');
});
