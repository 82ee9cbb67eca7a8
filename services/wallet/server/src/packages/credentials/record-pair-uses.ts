// Records the last use of key pairs in the background, at most once a minute for each pair.

import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import { type PairUse, upsertPairUses } from './store.ts';

/** A process writes the last use of a pair at most once in this interval. */
const pauseMs = 60_000;

export interface PairUseSink {
  /** Records a use in memory only, because every authenticated request calls this method. */
  record(packageId: number, pairId: bigint, at: Date): void;
}

interface RecordedUse {
  readonly packageId: number;
  readonly pairId: bigint;
  at: Date;
  /** `use` is the time of the use that was written last, and `at` is the time of that write. */
  written: { readonly use: Date; readonly at: Date } | undefined;
}

export function createPairUseRecorder(options: {
  db: Db;
  logger: Logger;
  now: () => Date;
  /** Interval for writing the uses that are due. */
  everyMs: number;
}) {
  const { db, logger, now } = options;
  /** The pairs that were used with valid credentials. An entry is removed after a minute without a use. */
  const recorded = new Map<bigint, RecordedUse>();

  const isNew = ({ at, written }: RecordedUse) => at !== written?.use;
  const isQuiet = ({ written }: RecordedUse, at: Date) =>
    written !== undefined && at.getTime() - written.at.getTime() >= pauseMs;

  const write = async (found: readonly RecordedUse[], at: Date): Promise<void> => {
    if (found.length === 0) return;
    const uses = found.map((each) => ({ ...each }));
    await writeUses(db, logger, uses);
    for (const [index, each] of found.entries()) {
      each.written = { use: uses[index]?.at ?? each.at, at };
    }
  };
  const writeDue = async (): Promise<void> => {
    const at = now();
    for (const each of recorded.values()) {
      if (!isNew(each) && isQuiet(each, at)) recorded.delete(each.pairId);
    }
    const isDue = (each: RecordedUse) => isNew(each) && (!each.written || isQuiet(each, at));
    await write([...recorded.values()].filter(isDue), at);
  };
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const waits = warn('the last uses of key pairs wait for the database');
  const loop = repeat(writeDue, options.everyMs, waits);
  return {
    record: (packageId: number, pairId: bigint, at: Date) => {
      const use = recorded.get(pairId);
      if (use) use.at = at;
      else recorded.set(pairId, { packageId, pairId, at, written: undefined });
    },
    /** Writes the uses that are due now, so that a test need not wait for the interval. */
    flush: () => loop.now(),
    close: async () => {
      await loop.stop();
      await write([...recorded.values()].filter(isNew), now()).catch(
        warn('the last uses of key pairs are lost'),
      );
    },
  };
}

/** Drops uses that the database refuses, because it would refuse them again. */
async function writeUses(db: Db, logger: Logger, uses: readonly PairUse[]): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      // The commit does not wait for the disk, because losing the uses of the last minute in a crash is
      // acceptable.
      await tx.query('set local synchronous_commit = off');
      await upsertPairUses(tx, uses);
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    logger.error({ err: error }, 'the last uses of key pairs could not be written');
  }
}
