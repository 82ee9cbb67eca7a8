// Measures the load of other processes during a run, and decides whether they disturbed the run.
import { availableParallelism } from 'node:os';
import { readBusyMs, readFamilyCpuMs } from './processes.ts';

/**
 * If other processes use more than this share of all CPU time, the run counts as disturbed. The operating
 * system's own processes use less than this share.
 */
const maxForeignPart = 0.08;

export interface Watched<T> {
  readonly result: T;
  /** The share of all CPU time that other processes used; undefined if unknown. */
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

/**
 * Measures the load of other processes while `work` runs. This process and its descendants, such as
 * PostgreSQL, are not counted.
 */
export async function watchForeignLoad<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const before = sample();
  const result = await work();
  return { result, foreignPart: foreignPart(before, sample(), availableParallelism()) };
}

export const isDisturbed = (part: number | undefined): boolean => part !== undefined && part > maxForeignPart;
