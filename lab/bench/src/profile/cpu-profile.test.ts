// The self time of each function leaves out idle time and the start of the service.
import { expect, it } from 'vitest';
import { cutStart, listOwnTimes } from './cpu-profile.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });
const profile = {
  startTime: 5000,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('(idle)') },
    {
      id: 3,
      callFrame: frame('serve', 'file:///somewhere/else/kit/dist/serve.js'),
      children: [4, 5],
    },
    { id: 4, callFrame: frame('decide') },
    { id: 5, callFrame: frame('<write>') },
  ],
  samples: [2, 3, 4, 4, 5],
  timeDeltas: [900, 10, 20, 30, 40],
};

it('the shares of self time of all functions sum to one, and idle time is not listed', () => {
  expect(listOwnTimes(profile)).toEqual([
    { name: 'decide', part: 0.5 },
    { name: '<write>', part: 0.4 },
    { name: 'serve (kit/serve.js)', part: 0.1 },
  ]);
});

it('only the samples before the load are removed from a profile', () => {
  expect(cutStart(profile, 930)).toEqual({
    ...profile,
    startTime: 5930,
    samples: [4, 5],
    timeDeltas: [30, 40],
  });
});
