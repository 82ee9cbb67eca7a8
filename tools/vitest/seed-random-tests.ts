// Gives the random tests of fast-check the seed of the run.
import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { configureGlobal } from 'fast-check';

// fast-check reads a seed as a signed integer.
configureGlobal({ seed: seedOfRun() | 0 });
