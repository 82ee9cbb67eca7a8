// All checks, in the order in which they run and stand on the scorecard.
import type { Fault } from './fault.ts';
import { callbackOrders } from './faults/callers/callback-orders.ts';
import { duplicateStorm } from './faults/callers/duplicate-storm.ts';
import { killAtPoints } from './faults/service/kill-at-points.ts';
import { killPostgres } from './faults/database/kill-postgres.ts';
import { killService } from './faults/service/kill-service.ts';
import { longRun } from './faults/long-run.ts';
import { overdraftRace } from './faults/callers/overdraft-race.ts';
import { plantedBugs } from './faults/planted-bugs.ts';
import { rollingRestart } from './faults/service/rolling-restart.ts';
import { sigtermUnderLoad } from './faults/service/sigterm-under-load.ts';
import { stopPostgres, stopService } from './faults/service/stop-signals.ts';
import { terminateBackends } from './faults/database/terminate-backends.ts';
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
