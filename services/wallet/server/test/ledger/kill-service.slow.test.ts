// kill -9 under load, again and again: nothing acknowledged is lost, nothing is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('20 kills under 64-way load: every answered order is stored once, and the proof is clean', () =>
  expectNothingLost({ kills: 20, callers: 64 }));
