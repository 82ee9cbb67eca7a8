// CPU time and memory of processes from /proc, and a description of the machine.
import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';

/** Linux counts CPU time in ticks, which are 10 ms on every Linux that Node supports. */
const tickMs = 10;
const pageBytes = 4096;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly ownMs: number;
  /** CPU time of children that have ended. */
  readonly endedChildrenMs: number;
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

export function readProcess(pid: number | 'self'): ProcessTimes | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The process name, in parentheses, may contain spaces. The fields after it contain none.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [own = 0, ownSystem = 0, children = 0, childrenSystem = 0] = fields.slice(11, 15);
  return {
    pid: Number.parseInt(text, 10),
    parent,
    ownMs: (own + ownSystem) * tickMs,
    endedChildrenMs: (children + childrenSystem) * tickMs,
  };
}

function readAll(): ProcessTimes[] {
  const names = read('/proc/self/stat') === undefined ? [] : readdirSync('/proc');
  return names
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((each) => each !== undefined);
}

/** CPU time of a process and all its descendants, including descendants that have ended. */
export function sumFamily(all: readonly ProcessTimes[], pid: number): number | undefined {
  const head = all.find((each) => each.pid === pid);
  if (!head) return undefined;
  const children = all.filter((each) => each.parent === pid && each.pid !== pid);
  return children.reduce(
    (sum, child) => sum + (sumFamily(all, child.pid) ?? 0),
    head.ownMs + head.endedChildrenMs,
  );
}

export const readFamilyCpuMs = (pid: number): number | undefined => sumFamily(readAll(), pid);

/** CPU time of one process since its start. */
export const readCpuMs = (pid: number): number | undefined => readProcess(pid)?.ownMs;

export function readResidentBytes(pid: number): number | undefined {
  const pages = read(`/proc/${pid}/statm`)?.split(' ')[1];
  return pages === undefined ? undefined : Number(pages) * pageBytes;
}

/**
 * The time during which the processors were busy, added over all processors. It includes the time that the
 * host gave to other virtual machines.
 */
export function readBusyMs(): number | undefined {
  const line = read('/proc/stat')?.split('\n', 1)[0];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + steal) * tickMs;
}

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly system: string;
  readonly node: string;
}

export const describeMachine = (): Machine => ({
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  system: `${platform()} ${arch()}, kernel ${release()}`,
  node: process.versions.node,
});
