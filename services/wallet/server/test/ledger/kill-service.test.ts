// kill -9 under load: no acknowledged order is lost, and none is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('after a kill with 16 callers, every answered order is stored once, and the proof is clean', () =>
  expectNothingLost({ kills: 1, callers: 16 }));
