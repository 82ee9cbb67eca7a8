// The Prometheus metrics of a service: figures of the process, and the count and duration of requests per
// route.
import client from '@platformatic/prom-client';
import { equalsInConstantTime } from '../crypto/secrets.ts';
import type { App } from '../http/app.ts';
import type { ServiceErrors, TransportErrorCode } from '../http/errors.ts';
import { collectMetrics } from './combined-metrics.ts';
import { createRequestDurations, type RequestDurations } from './request-durations.ts';

export type Metrics = client.Registry;

export function createMetrics(service: string): Metrics {
  const registry = new client.Registry();
  // If several processes share a port, each process has a number. A process that replaces an exited process
  // gets the same number.
  const number = process.env.PROCESS_NUMBER;
  registry.setDefaultLabels({ service, ...(number !== undefined && { process: number }) });
  client.collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * Measures the duration of every answer of the router, by method, route and status. Labels are route
 * patterns, never paths as sent.
 */
export function measureRequests(app: App, registry: Metrics): RequestDurations {
  const durations = createRequestDurations();
  registry.registerMetric(durations as unknown as client.Metric);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const { method } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  return durations;
}

export function createCounter(
  registry: Metrics,
  options: { name: string; help: string },
): { add(count?: number): void } {
  const counter = new client.Counter({ ...options, registers: [registry] });
  return { add: (count = 1) => counter.inc(count) };
}

/** Creates a counter with labels. The values of a label must come from a short, fixed list. */
export function createLabelledCounter<Label extends string>(
  registry: Metrics,
  options: { name: string; help: string; labelNames: readonly Label[] },
): { add(labels: Record<Label, string>): void } {
  const { labelNames, ...rest } = options;
  const counter = new client.Counter({ ...rest, labelNames: [...labelNames], registers: [registry] });
  return { add: (labels) => counter.inc(labels) };
}

/** Creates a gauge whose value is read when the metrics are collected. */
export function createGauge(
  registry: Metrics,
  options: { name: string; help: string; read: () => number },
): void {
  const { read, ...rest } = options;
  new client.Gauge({
    ...rest,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Creates a counter whose total is read when the metrics are collected. */
export function createReadCounter(
  registry: Metrics,
  options: { name: string; help: string; read: () => number },
): void {
  const { read, ...rest } = options;
  new client.Counter({
    ...rest,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

export function serveMetrics(
  app: App,
  options: {
    registry: Metrics;
    errors: ServiceErrors<TransportErrorCode>;
    token: string | undefined;
    production: boolean;
  },
): void {
  const expected = options.token === undefined ? undefined : Buffer.from(`Bearer ${options.token}`);
  const collect = collectMetrics(() => options.registry.metrics());
  app.get(
    '/metrics',
    { schema: { hide: true }, config: { isAlwaysServed: true } },
    async (request, reply) => {
      const given = Buffer.from(request.headers.authorization ?? '');
      const allowed = expected ? equalsInConstantTime(given, expected) : !options.production;
      // Without the token, the page answers like an unknown path, so that a scanner cannot find out that the
      // page exists.
      if (!allowed) throw options.errors.fail('route_not_found');
      const text = await collect();
      return reply.type(options.registry.contentType).send(text);
    },
  );
}
