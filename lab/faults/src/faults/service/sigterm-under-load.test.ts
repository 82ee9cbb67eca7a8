// Counts the calls that are in flight when the signal is sent, and how many of them get no answer.
import { expect, it } from 'vitest';
import type { Attempt } from '../../client/client-log.ts';
import type { Answer, Order } from '../../client/order.ts';
import { countInFlight } from './sigterm-under-load.ts';

const order: Order = { packageId: 1, kind: 'credit', player: 'p', id: 'c1', amountMinor: 1n };
const answered: Answer = { outcome: { kind: 'turned_away', code: 'overloaded' }, status: 503 };
const lost: Answer = { outcome: { kind: 'unknown', reason: 'ECONNRESET' } };
const at = (sentAtMs: number, answeredAtMs: number, answer: Answer): Attempt => ({
  sentAtMs,
  answeredAtMs,
  answer,
});

const count = (...attempts: Attempt[]) => countInFlight({ calls: [{ order, attempts }] }, [1000, 5000]);

it('a call sent at least 100 ms before the signal and answered after it counts as in flight', () => {
  expect(count(at(900, 1001, answered), at(4000, 6000, answered))).toEqual({
    inFlight: 2,
    lost: 0,
  });
});

it('a call sent at least 100 ms before the signal and never answered counts as lost', () => {
  expect(count(at(850, 1001, lost), { sentAtMs: 4000 })).toEqual({ inFlight: 2, lost: 2 });
});

it('a call answered before the signal, or sent later than 100 ms before it, is not counted', () => {
  expect(count(at(100, 999, lost), at(1001, 1500, lost), at(950, 1100, lost))).toEqual({
    inFlight: 0,
    lost: 0,
  });
});
