// All checks, in the order in which they run and stand on the scorecard.
import type { Fault } from './fault.ts';
import { killService } from './faults/kill-service.ts';

export const faults: readonly Fault[] = [killService];
