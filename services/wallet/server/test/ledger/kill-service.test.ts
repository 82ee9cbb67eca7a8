// Kills a service under load with kill -9: no acknowledged order is lost, and none is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('after a kill of the service under load, every answered order is stored once, and no flaw is found', () =>
  expectNothingLost({ kills: 1, callers: 16 }));
