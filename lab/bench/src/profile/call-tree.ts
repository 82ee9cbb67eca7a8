// Turns Node's CPU profile into a tree of calls with the time of each.

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

export interface Call {
  readonly name: string;
  readonly file: string;
  /** Time in the call and in everything that it called. */
  micros: number;
  readonly children: Map<string, Call>;
}

const createCall = (name: string, file: string): Call => ({
  name,
  file,
  micros: 0,
  children: new Map(),
});

/** Idle time is not counted. */
const idleNames = new Set(['(idle)', '(program)', '(root)']);

/** Omits samples before `fromMicros`, such as the start of a service. */
export function buildCallTree(profile: CpuProfile, fromMicros = 0): Call {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const node of profile.nodes) {
    for (const child of node.children ?? []) parents.set(child, node.id);
  }
  const root = createCall('all', '');
  let elapsed = 0;
  for (const [i, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[i] ?? 0;
    elapsed += micros;
    if (elapsed <= fromMicros) continue;
    if (idleNames.has(byId.get(id)?.callFrame.functionName ?? '')) continue;
    const stack: number[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.unshift(at);
    let call = root;
    call.micros += micros;
    for (const step of stack.slice(1)) {
      const { functionName, url } = byId.get(step)?.callFrame ?? { functionName: '?', url: '' };
      call = childOf(call, functionName || '(anonymous)', shortenUrl(url));
      call.micros += micros;
    }
  }
  return root;
}

function childOf(call: Call, name: string, file: string): Call {
  const key = `${name} ${file}`;
  const known = call.children.get(key);
  if (known) return known;
  const made = createCall(name, file);
  call.children.set(key, made);
  return made;
}

/** The path of the file within its package. */
const shortenUrl = (url: string): string =>
  url.replace(/^.*node_modules\//, '').replace(/^.*\/([^/]+\/(?:server\/)?)dist\//, '$1');

/** Functions by their own time, longest first. */
export function listOwnTimes(root: Call): { name: string; part: number }[] {
  const own = new Map<string, number>();
  const visit = (call: Call) => {
    let below = 0;
    for (const child of call.children.values()) {
      below += child.micros;
      visit(child);
    }
    const key = call.file ? `${call.name} (${call.file})` : call.name;
    own.set(key, (own.get(key) ?? 0) + call.micros - below);
  };
  for (const child of root.children.values()) visit(child);
  return [...own]
    .map(([name, micros]) => ({ name, part: micros / root.micros }))
    .sort((a, b) => b.part - a.part);
}
