// Which calls were in flight at a signal and which were lost in sigterm-under-load.
import { expect, it } from 'vitest';
import type { Attempt } from '../../client/client-log.ts';
import type { Answer, Order } from '../../client/order.ts';
import { countUnderWay } from './sigterm-under-load.ts';

const order: Order = { packageId: 1, kind: 'credit', player: 'p', id: 'c1', amountMinor: 1n };
const answered: Answer = { outcome: { kind: 'turned_away', code: 'overloaded' }, status: 503 };
const lost: Answer = { outcome: { kind: 'unknown', reason: 'ECONNRESET' } };
const at = (sentAtMs: number, answeredAtMs: number, answer: Answer): Attempt => ({
  sentAtMs,
  answeredAtMs,
  answer,
});

const count = (...attempts: Attempt[]) =>
  countUnderWay({ calls: [{ order, attempts }] }, [1000, 5000]);

it('a call that spans the signal is under way, whatever it is answered', () => {
  expect(count(at(900, 1001, answered), at(4000, 6000, answered))).toEqual({
    underWay: 2,
    lost: 0,
  });
});

it('a call that spans the signal and gets no answer is lost', () => {
  expect(count(at(850, 1001, lost), { sentAtMs: 4000 })).toEqual({ underWay: 2, lost: 2 });
});

it('a call that had ended before, came after, or may not have been read yet does not count', () => {
  expect(count(at(100, 999, lost), at(1001, 1500, lost), at(950, 1100, lost))).toEqual({
    underWay: 0,
    lost: 0,
  });
});
