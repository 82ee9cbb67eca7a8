// The checks that break what the services stand on: network, clock, disk, limits, provider, backups.
import type { Fault } from './fault.ts';
import { backupRestore } from './faults/database/backup-restore.ts';
import { clientAnswersLost } from './faults/network/client-answers-lost.ts';
import { clockJumps } from './faults/service/clock-jumps.ts';
import { commitAnswersLost } from './faults/network/commit-answers-lost.ts';
import { connectionsExhausted } from './faults/database/connections-exhausted.ts';
import { databaseConnectionsClosed } from './faults/network/database-connections-closed.ts';
import { databaseDelayed } from './faults/network/database-delayed.ts';
import { databaseSilent } from './faults/network/database-silent.ts';
import { diskFull } from './faults/database/disk-full.ts';
import { embeddedPostgresKilled } from './faults/database/embedded-postgres-killed.ts';
import { fewFiles } from './faults/limits/few-files.ts';
import { flushFails } from './faults/database/flush-fails.ts';
import { flushSlow } from './faults/database/flush-slow.ts';
import { littleMemory } from './faults/limits/little-memory.ts';
import { messagesCut } from './faults/network/messages-cut.ts';
import { operatorLock } from './faults/database/operator-lock.ts';
import { poisonRows } from './faults/database/poison-rows.ts';
import { providerFaults } from './faults/callers/provider-faults.ts';

export const surroundings: readonly Fault[] = [
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
