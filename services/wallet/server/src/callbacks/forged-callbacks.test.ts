// Forgeries are seen at once, counted by the minute, and never more lines than bounds allow.
import { describe, expect, it } from 'vitest';
import { createForgedBuffer, type Forgery } from './forged-callbacks.ts';

const forgery: Forgery = { uid: 'UID_a', address: '192.0.2.1', reason: 'auth_invalid' };

function givenBuffer() {
  const clock = { ms: 1_000_000 };
  return { clock, buffer: createForgedBuffer(() => new Date(clock.ms)) };
}

describe('the buffer of forgeries', () => {
  it('gives the first at once, and the rest of the minute as one line with its count', () => {
    const { clock, buffer } = givenBuffer();
    buffer.record(forgery);
    expect(buffer.take()).toMatchObject([{ ...forgery, count: 1 }]);
    for (let i = 0; i < 1000; i++) buffer.record(forgery);
    expect(buffer.take()).toEqual([]);
    clock.ms += 60_000;
    expect(buffer.take()).toMatchObject([{ ...forgery, count: 1000 }]);
    clock.ms += 60_000;
    expect(buffer.take()).toEqual([]);
    buffer.record(forgery);
    expect(buffer.take()).toMatchObject([{ count: 1 }]);
  });

  it('tells packages, addresses and reasons apart', () => {
    const { buffer } = givenBuffer();
    buffer.record(forgery);
    buffer.record({ ...forgery, uid: 'UID_b' });
    buffer.record({ ...forgery, address: '192.0.2.2' });
    buffer.record({ ...forgery, reason: 'signature_invalid' });
    expect(buffer.take()).toHaveLength(4);
  });

  it('loses nothing at the end', () => {
    const { buffer } = givenBuffer();
    for (let i = 0; i < 5; i++) buffer.record(forgery);
    buffer.take();
    for (let i = 0; i < 5; i++) buffer.record(forgery);
    expect(buffer.take({ all: true })).toMatchObject([{ count: 5 }]);
  });

  it.each([
    ['addresses', (i: number) => ({ ...forgery, address: `10.0.${i >> 8}.${i & 255}` })],
    ['packages', (i: number) => ({ ...forgery, uid: `UID_${i}` })],
    ['packages from nowhere', (i: number) => ({ ...forgery, uid: `UID_${i}`, address: '\u0000' })],
  ])('is bounded under a flood of %s, and still counts every one', (_name, make) => {
    const { clock, buffer } = givenBuffer();
    for (let i = 0; i < 50_000; i++) buffer.record(make(i));
    const first = buffer.take();
    clock.ms += 60_000;
    const lines = [...first, ...buffer.take()];
    expect(lines.length).toBeLessThanOrEqual(204);
    expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(50_000);
  });
});
