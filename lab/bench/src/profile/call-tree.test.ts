// The times in the tree of a profile add up.
import { expect, it } from 'vitest';
import { buildCallTree, listOwnTimes } from './call-tree.ts';
import { drawFlame } from './flame.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });
const profile = {
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

it('leaves out idle time, and adds the time of callees to each call', () => {
  const root = buildCallTree(profile);
  expect(root.micros).toBe(100);
  const [serve] = root.children.values();
  expect(serve).toMatchObject({ name: 'serve', file: 'kit/serve.js', micros: 100 });
  expect([...(serve?.children.values() ?? [])].map((call) => call.micros)).toEqual([50, 40]);
});

it('leaves out samples before the load', () => {
  expect(buildCallTree(profile, 930).micros).toBe(70);
});

it('computes own times without callees, which add up to one', () => {
  const own = listOwnTimes(buildCallTree(profile));
  expect(own).toEqual([
    { name: 'decide', part: 0.5 },
    { name: '<write>', part: 0.4 },
    { name: 'serve (kit/serve.js)', part: 0.1 },
  ]);
});

it('draws every call once in the flame graph, and escapes names', () => {
  const svg = drawFlame(buildCallTree(profile), 'title & more');
  expect(svg.match(/<rect class="flame/g)).toHaveLength(3);
  expect(svg).not.toContain('<write>');
  expect(svg).toContain('&lt;write&gt;');
});
