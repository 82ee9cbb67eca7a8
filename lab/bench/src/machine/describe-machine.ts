// The machine that a figure comes from, in one line.
import { arch, cpus, platform, release } from 'node:os';

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
