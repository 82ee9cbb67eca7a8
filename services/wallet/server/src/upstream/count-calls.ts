// Counts what was asked of the upstream, by source and outcome.
import { createLabelledCounter, type Metrics } from '@counterfoil/kit/observability/metrics';
import type { Upstream } from './upstream.ts';

export function countCalls(upstream: Upstream, registry: Metrics): void {
  const calls = createLabelledCounter(registry, {
    name: 'upstream_calls_total',
    help: 'Calls to the game provider by source and outcome, spared ones included',
    labelNames: ['source', 'outcome'],
  });
  upstream.watch(({ source, outcome }) => calls.add({ source, outcome }));
}
