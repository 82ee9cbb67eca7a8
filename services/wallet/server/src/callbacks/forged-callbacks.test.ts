// The first forgery is written at the next flush. All further forgeries in the same minute are written as one
// line.
import { describe, expect, it } from 'vitest';
import { createForgedBuffer, type Forgery } from './forged-callbacks.ts';

const forgery: Forgery = { uid: 'UID_a', address: '192.0.2.1', reason: 'auth_invalid' };

function givenBuffer() {
  const clock = { ms: 1_000_000 };
  return { clock, buffer: createForgedBuffer(() => new Date(clock.ms)) };
}

describe('the buffer of forgeries', () => {
  it('the first forgery is returned at once; later forgeries of that minute become one line', () => {
    const { clock, buffer } = givenBuffer();
    buffer.record(forgery);
    expect(buffer.drain()).toMatchObject([{ ...forgery, count: 1 }]);
    for (let i = 0; i < 1000; i++) buffer.record(forgery);
    expect(buffer.drain()).toEqual([]);
    clock.ms += 60_000;
    expect(buffer.drain()).toMatchObject([{ ...forgery, count: 1000 }]);
    clock.ms += 60_000;
    expect(buffer.drain()).toEqual([]);
    buffer.record(forgery);
    expect(buffer.drain()).toMatchObject([{ count: 1 }]);
  });

  it('the buffer has one line per package, IP address and reason', () => {
    const { buffer } = givenBuffer();
    buffer.record(forgery);
    buffer.record({ ...forgery, uid: 'UID_b' });
    buffer.record({ ...forgery, address: '192.0.2.2' });
    buffer.record({ ...forgery, reason: 'signature_invalid' });
    expect(buffer.drain()).toHaveLength(4);
  });

  it('the buffer of forgeries returns all remaining lines when the service closes', () => {
    const { buffer } = givenBuffer();
    for (let i = 0; i < 5; i++) buffer.record(forgery);
    buffer.drain();
    for (let i = 0; i < 5; i++) buffer.record(forgery);
    expect(buffer.drain({ all: true })).toMatchObject([{ count: 5 }]);
  });

  it.each([
    ['IP addresses', (i: number) => ({ ...forgery, address: `10.0.${i >> 8}.${i & 255}` })],
    ['packages', (i: number) => ({ ...forgery, uid: `UID_${i}` })],
    [
      'packages with an invalid IP address',
      (i: number) => ({ ...forgery, uid: `UID_${i}`, address: '\u0000' }),
    ],
  ])('50,000 different %s give a limited number of lines, but every forgery is counted', (_name, make) => {
    const { clock, buffer } = givenBuffer();
    for (let i = 0; i < 50_000; i++) buffer.record(make(i));
    const first = buffer.drain();
    clock.ms += 60_000;
    const lines = [...first, ...buffer.drain()];
    expect(lines.length).toBeLessThanOrEqual(204);
    expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(50_000);
  });
});
