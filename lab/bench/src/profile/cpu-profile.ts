// Evaluates a CPU profile of Node (`.cpuprofile`): the part under load, and the self time of each function.

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
}

/** The fields of a CPU profile that this file uses. All other fields are written back unchanged. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** For each sample, the microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/** Removes the samples of the first `micros`, such as the start of a service. */
export function cutStart(profile: CpuProfile, micros: number): CpuProfile {
  let elapsed = 0;
  let first = 0;
  while (first < profile.samples.length && elapsed + (profile.timeDeltas[first] ?? 0) <= micros) {
    elapsed += profile.timeDeltas[first++] ?? 0;
  }
  return {
    ...profile,
    startTime: profile.startTime + elapsed,
    samples: profile.samples.slice(first),
    timeDeltas: profile.timeDeltas.slice(first),
  };
}

/** Names of nodes that contain idle time, which is not counted. */
const idleNames = new Set(['(idle)', '(program)', '(root)']);

/** The path of the file within its npm package. */
const shortenUrl = (url: string): string =>
  url.replace(/^.*node_modules\//, '').replace(/^.*\/([^/]+\/(?:server\/)?)dist\//, '$1');

function nameOf({ callFrame: { functionName, url } }: ProfileNode): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} (${shortenUrl(url)})`;
}

/** Functions by their self time, longest first. */
export function listOwnTimes(profile: CpuProfile): { name: string; part: number }[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const own = new Map<string, number>();
  let total = 0;
  for (const [i, id] of profile.samples.entries()) {
    const node = byId.get(id);
    if (!node || idleNames.has(node.callFrame.functionName)) continue;
    const micros = profile.timeDeltas[i] ?? 0;
    total += micros;
    own.set(nameOf(node), (own.get(nameOf(node)) ?? 0) + micros);
  }
  return [...own].map(([name, micros]) => ({ name, part: micros / total })).sort((a, b) => b.part - a.part);
}
