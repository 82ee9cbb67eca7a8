// The buffer of the callback log merges equal lines, is bounded, and reports dropped lines.
import { expect, it } from 'vitest';
import { createCallbackBuffer } from './callback-buffer.ts';
import type { CallbackLine } from './callback-log.ts';

const line: CallbackLine = {
  packageId: 1,
  at: new Date(0),
  requestId: 'r',
  address: '192.0.2.1',
  action: 'bet',
  transactionId: 't',
  playerId: 'p',
  roundId: '',
  status: 200,
  code: '',
  result: 'applied',
  field: '',
};

it('the buffer merges lines with the same key, and separates lines with different keys', () => {
  const buffer = createCallbackBuffer({ maxLines: 100, onDropped: () => {} });
  for (let i = 0; i < 50; i++) buffer.add({ ...line, requestId: `r-${i}` });
  const others: Partial<CallbackLine>[] = [
    { packageId: 2 },
    { transactionId: 'u' },
    { playerId: 'q' },
    { status: 409, code: 'transaction_conflict', field: 'amount' },
    { status: 409, code: 'transaction_conflict', field: 'player_id' },
    { address: '192.0.2.2' },
  ];
  for (const other of others) buffer.add({ ...line, ...other });
  const drained = buffer.drain();
  expect(drained.map((each) => each.attempts)).toEqual([50, 1, 1, 1, 1, 1, 1]);
  expect(drained[0]?.requestId).toBe('r-0');
  expect(buffer.drain()).toEqual([]);
});

it('a full buffer drops and reports new lines, and still counts repeats of buffered lines', () => {
  let dropped = 0;
  const buffer = createCallbackBuffer({ maxLines: 3, onDropped: () => dropped++ });
  for (let i = 0; i < 10; i++) buffer.add({ ...line, transactionId: `t-${i}` });
  buffer.add({ ...line, transactionId: 't-0' });
  expect(dropped).toBe(7);
  expect(buffer.drain().map((each) => each.attempts)).toEqual([2, 1, 1]);
});
