// All faults, in the order in which they run and are listed on the scorecard.
import type { Fault } from './fault.ts';
import { callbackOrders } from './faults/callers/callback-orders.ts';
import { duplicateStorm } from './faults/callers/duplicate-storm.ts';
import { overdraftRace } from './faults/callers/overdraft-race.ts';
import { providerFaults } from './faults/callers/provider-faults.ts';
import { backupRestore } from './faults/database/backup-restore.ts';
import { connectionsExhausted } from './faults/database/connections-exhausted.ts';
import { diskFull } from './faults/database/disk-full.ts';
import { embeddedPostgresKilled } from './faults/database/embedded-postgres-killed.ts';
import { flushFails } from './faults/database/flush-fails.ts';
import { flushSlow } from './faults/database/flush-slow.ts';
import { killPostgres } from './faults/database/kill-postgres.ts';
import { operatorLock } from './faults/database/operator-lock.ts';
import { poisonRows } from './faults/database/poison-rows.ts';
import { terminateBackends } from './faults/database/terminate-backends.ts';
import { fewFiles } from './faults/limits/few-files.ts';
import { littleMemory } from './faults/limits/little-memory.ts';
import { longRun } from './faults/long-run.ts';
import { clientAnswersLost } from './faults/network/client-answers-lost.ts';
import { commitAnswersLost, messagesCut } from './faults/network/commit-answers-lost.ts';
import {
  databaseConnectionsClosed,
  databaseDelayed,
  databaseSilent,
} from './faults/network/database-connection.ts';
import { plantedBugs } from './faults/planted-bugs.ts';
import { clockJumps } from './faults/service/clock-jumps.ts';
import { killAtPoints } from './faults/service/kill-at-points.ts';
import { killService } from './faults/service/kill-service.ts';
import { rollingRestart } from './faults/service/rolling-restart.ts';
import { sigtermUnderLoad } from './faults/service/sigterm-under-load.ts';
import { stopPostgres, stopService } from './faults/service/stop-signals.ts';

/** Faults in the environment of the service: network, clock, disk, limits, provider, backups. */
const environmentFaults: readonly Fault[] = [
  databaseConnectionsClosed,
  databaseSilent,
  databaseDelayed,
  commitAnswersLost,
  messagesCut,
  clientAnswersLost,
  clockJumps,
  diskFull,
  flushFails,
  flushSlow,
  connectionsExhausted,
  operatorLock,
  embeddedPostgresKilled,
  fewFiles,
  littleMemory,
  poisonRows,
  providerFaults,
  backupRestore,
];

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
  ...environmentFaults,
  longRun,
  ...plantedBugs,
];
