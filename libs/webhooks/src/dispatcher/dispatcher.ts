// A process's own worker that sends events: it looks for endpoints with something due and takes turns.
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
import { forgetOldEvents } from '../outbox/outbox.ts';
import { selectDueEndpoints } from '../store/leases.ts';
import { runTurn, type TurnDeps } from './delivery-run.ts';
import { type AuditWebhook, deliveryTable } from './save-run.ts';
import type { AttemptSender } from './send-attempt.ts';

/** Endpoints at a time; each has up to eight requests under way. */
const atATime = 8;
const maxTurnsInARow = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long a process that leaves waits for answers before it breaks them off. */
const graceMs = 3000;

export interface RelayOptions {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly masterKey: MasterKey;
  readonly sender: AttemptSender;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly now: () => Date;
  readonly settings: WebhookSettings;
  readonly audit: AuditWebhook;
  /** What a service does besides, to find events: each on its own, again and again. */
  readonly chores?: readonly { readonly everyMs: number; readonly run: () => Promise<void> }[];
  /** How long it rests when there is nothing to do. */
  readonly pauseMs?: number;
}

/** What a service's process has at hand; what is sent, and how it is noted, the service knows. */
export type RelayDeps = Omit<RelayOptions, 'tables' | 'audit' | 'chores'>;

export interface Relay {
  stop(): Promise<void>;
}

export function startRelay(options: RelayOptions): Relay {
  const { db, tables, logger, now, settings, pauseMs = 500 } = options;
  const running = new Map<string, Promise<void>>();
  const leaving = new AbortController();
  let isLeaving = false;
  const deps: TurnDeps = {
    ...options,
    ...settings,
    ...measure(options.registry),
    owner: randomUUID(),
    signal: leaving.signal,
    isLeaving: () => isLeaving,
  };
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);

  const take = async (key: EndpointKey): Promise<void> => {
    for (let turn = 0; turn < maxTurnsInARow && !isLeaving; turn++) {
      if (!(await runTurn(deps, key))) return;
    }
  };
  const look = async (): Promise<void> => {
    const limit = atATime - running.size;
    if (limit <= 0 || isLeaving) return;
    const wanted = { at: now(), limit };
    for (const key of await selectDueEndpoints(db, tables, wanted)) {
      const name = `${key.tenant}/${key.id}`;
      if (running.has(name)) continue;
      const turns = take(key)
        .catch(warn('webhooks could not be delivered'))
        .finally(() => running.delete(name));
      running.set(name, turns);
    }
  };
  const keepTables = async (): Promise<void> => {
    await keepPartitions(db, [deliveryTable(settings.logDays)], now());
    await forgetOldEvents(db, new Date(now().getTime() - (settings.logDays + 1) * dayMs));
  };
  const keeper = repeat(keepTables, hourMs, warn('webhook tables could not be looked after'));
  void keeper.now();
  const chores = (options.chores ?? []).map(({ everyMs, run }) =>
    repeat(run, everyMs, warn('events could not be looked for')),
  );
  for (const chore of chores) void chore.now();
  const looking = repeat(look, pauseMs, warn('webhooks wait for the database'));
  const loops = [keeper, looking, ...chores];
  return {
    stop: async () => {
      isLeaving = true;
      const timer = setTimeout(() => leaving.abort(), graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

function measure(registry: Metrics): Pick<TurnDeps, 'onAttempt' | 'onDisabled'> {
  const attempts = createLabelledCounter(registry, {
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event by webhook',
    labelNames: ['outcome'],
  });
  const disabled = createCounter(registry, {
    name: 'webhook_endpoints_disabled_total',
    help: 'Endpoints that were disabled after long failure, or because they are gone',
  });
  let lagSeconds = 0;
  createGauge(registry, {
    name: 'webhook_lag_seconds',
    help: 'How old the event of the last attempt was',
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
