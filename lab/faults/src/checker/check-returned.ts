// I7, the second half: queues, memory, files and connections return to what they were.
import { type Violation, violation } from './violation.ts';

/** What a process holds at a moment of rest. */
export interface ResourceUsage {
  readonly residentMiB: number;
  readonly openFiles: number;
  /** Sessions of the database that are not idle. */
  readonly busySessions: number;
}

/** What the collector keeps for itself, and a pool's idle connections, are no leak. */
const spareMiB = 256;
const spareFiles = 32;

export function checkReturned(before: ResourceUsage, after: ResourceUsage): Violation[] {
  const found: Violation[] = [];
  const report = (detail: string) => found.push(violation('I7', detail));
  if (after.residentMiB > before.residentMiB + spareMiB) {
    report(`memory went from ${before.residentMiB} to ${after.residentMiB} MiB and stayed there`);
  }
  if (after.openFiles > before.openFiles + spareFiles) {
    report(`open files went from ${before.openFiles} to ${after.openFiles} and stayed there`);
  }
  if (after.busySessions > 0) {
    report(`${after.busySessions} sessions of the database are still busy`);
  }
  return found;
}
