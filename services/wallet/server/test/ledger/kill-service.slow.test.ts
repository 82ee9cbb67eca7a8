// kill -9 under load, 20 times: no acknowledged order is lost, and none is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('after 20 kills with 64 callers, every answered order is stored once, and the proof is clean', () =>
  expectNothingLost({ kills: 20, callers: 64 }));
