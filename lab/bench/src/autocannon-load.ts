// Runs autocannon in a separate process. Reads the options from standard input and writes the figures to
// standard output.
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import type { LoadOptions } from './load.ts';

const options = JSON.parse(await text(process.stdin)) as LoadOptions;
const result = await autocannon({
  url: options.url,
  connections: options.connections,
  duration: options.seconds,
  requests: options.requests.map(({ body, ...request }) => ({
    ...request,
    ...(body !== undefined && { body }),
  })),
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    failures: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }),
);
