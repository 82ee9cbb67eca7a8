// The number of processes of a service, from the command line or a setting.
import { expect, it } from 'vitest';
import { readProcesses } from './run-processes.ts';

it('the number of processes is that of the command line, else of the setting, else one', () => {
  expect(readProcesses([], {})).toBe(1);
  expect(readProcesses([], { PROCESSES: '3' })).toBe(3);
  expect(readProcesses(['--processes', '4'], { PROCESSES: '3' })).toBe(4);
  expect(readProcesses(['--processes=2'], {})).toBe(2);
});

it.each([
  ['--processes', '0'],
  ['--processes', '65'],
  ['--processes', 'many'],
  ['--processes'],
  ['--procs', '2'],
  ['4'],
])('the command-line arguments %s %s are refused', (...args) => {
  expect(() => readProcesses(args, {})).toThrow(/PROCESSES must be|processes|procs|positional/);
});
