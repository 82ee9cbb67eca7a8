// The dispatcher of a process: it finds endpoints with due events and runs deliveries for them.
import { randomUUID } from 'node:crypto';
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Logger } from '@counterfoil/kit/observability/logging';
import {
  createCounter,
  createGauge,
  createLabelledCounter,
  type Metrics,
} from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import { keepPartitions } from '@counterfoil/kit/postgres/partitions';
import type { EndpointKey } from '../endpoints/endpoint.ts';
import type { WebhookSettings } from '../endpoints/webhook-settings.ts';
import type { WebhookTables } from '../outbox/event.ts';
import { deleteOldEvents } from '../outbox/outbox.ts';
import { selectDueEndpoints } from '../store/leases.ts';
import { type DeliveryRunDeps, runDelivery } from './delivery-run.ts';
import { type AuditWebhook, deliveryTable } from './save-run.ts';
import type { AttemptSender } from './send-attempt.ts';

/** The maximum number of endpoints that are served at the same time, each with up to eight requests. */
const atATime = 8;
const maxRunsInARow = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long `stop` waits for answers before it aborts the requests. */
const graceMs = 3000;

export interface DispatcherOptions {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly masterKey: MasterKey;
  readonly sender: AttemptSender;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  readonly settings: WebhookSettings;
  readonly audit: AuditWebhook;
  /** Periodic tasks of the service that find and record events, such as the end of a purchase's support. */
  readonly tasks?: readonly { readonly everyMs: number; readonly run: () => Promise<void> }[];
  /** The pause between two searches for endpoints with due events. */
  readonly pauseMs?: number;
}

/** The options that are the same for both services. Each service adds `tables`, `audit` and `tasks`. */
export type DispatcherDeps = Omit<DispatcherOptions, 'tables' | 'audit' | 'tasks'>;

export type Dispatcher = ReturnType<typeof startDispatcher>;

export function startDispatcher(options: DispatcherOptions) {
  const { db, tables, logger, now, settings, pauseMs = 500 } = options;
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let isStopping = false;
  const deps: DeliveryRunDeps = {
    ...options,
    ...settings,
    ...measure(options.registry),
    owner: randomUUID(),
    signal: stopping.signal,
    isStopping: () => isStopping,
  };
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);

  const deliver = async (key: EndpointKey): Promise<void> => {
    for (let run = 0; run < maxRunsInARow && !isStopping; run++) {
      if (!(await runDelivery(deps, key))) return;
    }
  };
  const findDue = async (): Promise<void> => {
    const limit = atATime - running.size;
    if (limit <= 0 || isStopping) return;
    const wanted = { at: now(), limit };
    for (const key of await selectDueEndpoints(db, tables, wanted)) {
      const name = `${key.tenant}/${key.id}`;
      if (running.has(name)) continue;
      const runs = deliver(key)
        .catch(warn('webhooks could not be delivered'))
        .finally(() => running.delete(name));
      running.set(name, runs);
    }
  };
  const maintainTables = async (): Promise<void> => {
    await keepPartitions(db, [deliveryTable(settings.logDays)], now());
    await deleteOldEvents(db, new Date(now().getTime() - (settings.logDays + 1) * dayMs));
  };
  const maintenance = repeat(maintainTables, hourMs, warn('webhook tables were not maintained'));
  void maintenance.now();
  const tasks = (options.tasks ?? []).map(({ everyMs, run }) =>
    repeat(run, everyMs, warn('a task that finds events failed')),
  );
  for (const task of tasks) void task.now();
  const looking = repeat(findDue, pauseMs, warn('due webhooks could not be read'));
  const loops = [maintenance, looking, ...tasks];
  return {
    stop: async (): Promise<void> => {
      isStopping = true;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

function measure(registry: Metrics): Pick<DeliveryRunDeps, 'onAttempt' | 'onDisabled'> {
  const attempts = createLabelledCounter(registry, {
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event by webhook',
    labelNames: ['outcome'],
  });
  const disabled = createCounter(registry, {
    name: 'webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled after long failure, or because they answered 410',
  });
  let lagSeconds = 0;
  createGauge(registry, {
    name: 'webhook_lag_seconds',
    help: 'Age of the event when the most recent delivery attempt was made, in seconds',
    read: () => lagSeconds,
  });
  return {
    onAttempt: ({ outcome, lagMs }) => {
      attempts.add({ outcome });
      lagSeconds = Math.max(0, lagMs / 1000);
    },
    onDisabled: () => disabled.add(),
  };
}
