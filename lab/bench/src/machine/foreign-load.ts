// How busy others kept the machine while a run was measured, and whether the run still counts.
import { availableParallelism } from 'node:os';
import { readBusyMs, readFamilyCpuMs } from './processes.ts';

/** Of all processors' time; the system's own housekeeping stays below it. */
const maxForeignPart = 0.08;

export interface Watched<T> {
  readonly result: T;
  /** The part of all processors' time that others took; undefined where it cannot be told. */
  readonly foreignPart: number | undefined;
}

interface Sample {
  readonly at: number;
  readonly busyMs: number | undefined;
  readonly ownMs: number | undefined;
}

const sample = (): Sample => ({
  at: performance.now(),
  busyMs: readBusyMs(),
  ownMs: readFamilyCpuMs(process.pid),
});

export function foreignPart(before: Sample, after: Sample, cores: number): number | undefined {
  const { busyMs: busyBefore, ownMs: ownBefore } = before;
  const { busyMs: busyAfter, ownMs: ownAfter } = after;
  if (busyBefore === undefined || busyAfter === undefined) return undefined;
  if (ownBefore === undefined || ownAfter === undefined) return undefined;
  const foreignMs = busyAfter - busyBefore - (ownAfter - ownBefore);
  return Math.max(0, foreignMs / ((after.at - before.at) * cores));
}

/** Whatever this process has started, PostgreSQL included, is not foreign. */
export async function watchForeignLoad<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const before = sample();
  const result = await work();
  return { result, foreignPart: foreignPart(before, sample(), availableParallelism()) };
}

export const isDisturbed = (part: number | undefined): boolean =>
  part !== undefined && part > maxForeignPart;
