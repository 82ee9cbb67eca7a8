// Samples the memory of a process.
import { readResidentBytes } from './processes.ts';

export type MemorySamples = readonly (readonly [seconds: number, bytes: number])[];

export interface MemoryWatch {
  stop(): { peakBytes: number; samples: MemorySamples };
}

export function watchMemory(pid: number, everyMs = 100): MemoryWatch {
  const startedAt = performance.now();
  const samples: (readonly [number, number])[] = [];
  const look = () => {
    const bytes = readResidentBytes(pid);
    if (bytes !== undefined) samples.push([(performance.now() - startedAt) / 1000, bytes]);
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      const peakBytes = samples.reduce((most, [, bytes]) => Math.max(most, bytes), 0);
      return { peakBytes: samples.length === 0 ? Number.NaN : peakBytes, samples };
    },
  };
}
