// Tests how a service reads its number of processes from the command line or a setting.
import { expect, it } from 'vitest';
import { readProcesses } from './run-processes.ts';

it('the number of processes comes from the command line or the setting, and is 1 by default', () => {
  expect(readProcesses([], {})).toBe(1);
  expect(readProcesses([], { PROCESSES: '3' })).toBe(3);
  expect(readProcesses(['--processes', '4'], { PROCESSES: '3' })).toBe(4);
  expect(readProcesses(['--processes=2'], {})).toBe(2);
});

it.each([
  [['--processes', '0']],
  [['--processes', '65']],
  [['--processes', 'many']],
  [['--processes']],
  [['--procs', '2']],
  [['4']],
])('the command-line arguments %j are refused', (args) => {
  expect(() => readProcesses(args, {})).toThrow(/PROCESSES must be|processes|procs|positional/);
});
