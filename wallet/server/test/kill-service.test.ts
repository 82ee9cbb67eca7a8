// kill -9 under load: nothing acknowledged is lost, nothing is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('2 kills under 32-way load: all that was told is there once, and the proof is clean', () =>
  expectNothingLost({ kills: 2, callers: 32 }));
