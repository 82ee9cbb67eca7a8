// Kills a service under load 5 times with kill -9: no acknowledged order is lost, and none is applied twice.
import { it } from 'vitest';
import { expectNothingLost } from './kill-service.ts';

it('after 5 kills of the service under load, every answered order is stored once, and no flaw is found', () =>
  expectNothingLost({ kills: 5, callers: 32 }));
