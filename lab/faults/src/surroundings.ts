// The checks that break what the services stand on: network, clock, disk, limits, provider, backups.
import type { Fault } from './fault.ts';
import { backupRestore } from './faults/backup-restore.ts';
import { clientAnswersLost } from './faults/client-answers-lost.ts';
import { clockJumps } from './faults/clock-jumps.ts';
import { commitAnswersLost } from './faults/commit-answers-lost.ts';
import { connectionsExhausted } from './faults/connections-exhausted.ts';
import { databaseConnectionsClosed } from './faults/database-connections-closed.ts';
import { databaseDelayed } from './faults/database-delayed.ts';
import { databaseSilent } from './faults/database-silent.ts';
import { diskFull } from './faults/disk-full.ts';
import { embeddedPostgresKilled } from './faults/embedded-postgres-killed.ts';
import { fewFiles } from './faults/few-files.ts';
import { flushFails } from './faults/flush-fails.ts';
import { flushSlow } from './faults/flush-slow.ts';
import { littleMemory } from './faults/little-memory.ts';
import { messagesCut } from './faults/messages-cut.ts';
import { operatorLock } from './faults/operator-lock.ts';
import { poisonRows } from './faults/poison-rows.ts';
import { providerFaults } from './faults/provider-faults.ts';

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
