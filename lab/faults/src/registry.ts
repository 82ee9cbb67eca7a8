// All checks, in the order in which they run and stand on the scorecard.
import type { Fault } from './fault.ts';
import { callbackOrders } from './faults/callback-orders.ts';
import { duplicateStorm } from './faults/duplicate-storm.ts';
import { killAtPoints } from './faults/kill-at-points.ts';
import { killPostgres } from './faults/kill-postgres.ts';
import { killService } from './faults/kill-service.ts';
import { longRun } from './faults/long-run.ts';
import { overdraftRace } from './faults/overdraft-race.ts';
import { plantedBugs } from './faults/planted-bugs.ts';
import { rollingRestart } from './faults/rolling-restart.ts';
import { sigtermUnderLoad } from './faults/sigterm-under-load.ts';
import { stopPostgres, stopService } from './faults/stop-signals.ts';
import { terminateBackends } from './faults/terminate-backends.ts';
import { surroundings } from './surroundings.ts';

export const faults: readonly Fault[] = [
  killService,
  killAtPoints,
  stopService,
  sigtermUnderLoad,
  rollingRestart,
  killPostgres,
  stopPostgres,
  terminateBackends,
  duplicateStorm,
  overdraftRace,
  callbackOrders,
  ...surroundings,
  longRun,
  ...plantedBugs,
];
