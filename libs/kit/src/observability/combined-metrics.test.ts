// The metrics of several processes are joined into one page that Prometheus can read.
import { expect, it } from 'vitest';
import { joinPages } from './combined-metrics.ts';

const pageOf = (process: number) => `# HELP a_total Things
# TYPE a_total counter
a_total{process="${process}"} ${process}

# HELP b Seconds
# TYPE b gauge
b{process="${process}",x="1"} 0.5
b{process="${process}",x="2"} 0.25
`;

it('the joined page lists the lines of one metric from all processes under one description', () => {
  expect(joinPages([pageOf(1), pageOf(2)])).toBe(`# HELP a_total Things
# TYPE a_total counter
a_total{process="1"} 1
a_total{process="2"} 2

# HELP b Seconds
# TYPE b gauge
b{process="1",x="1"} 0.5
b{process="1",x="2"} 0.25
b{process="2",x="1"} 0.5
b{process="2",x="2"} 0.25
`);
});
