// The last 200 callbacks that were sent, for debugging. It holds no secrets.
import type { Callback, Verdict } from './callback.ts';

const maxDeliveries = 200;

interface Delivery {
  readonly at: string;
  readonly uid: string;
  readonly action: string;
  readonly transaction_id: string | null;
  readonly round_id: string | null;
  readonly attempt: number;
  readonly status: number | null;
  readonly verdict: Verdict['kind'];
  readonly detail: string | null;
  readonly duration_ms: number;
}

export interface DeliveryLog {
  add(entry: { callback: Callback; attempt: number; verdict: Verdict; startedAtMs: number }): void;
  /** The newest first. */
  list(): Delivery[];
  findLast(uid: string): Callback | undefined;
}

export function createDeliveryLog(): DeliveryLog {
  const deliveries: Delivery[] = [];
  const last = new Map<string, Callback>();
  return {
    add: ({ callback, attempt, verdict, startedAtMs }) => {
      const { uid, body } = callback;
      deliveries.unshift({
        at: new Date(startedAtMs).toISOString(),
        uid,
        action: body.action,
        transaction_id: body.transaction_id ?? null,
        round_id: body.round_id ?? null,
        attempt,
        status: statusOf(verdict),
        verdict: verdict.kind,
        detail: detailOf(verdict),
        duration_ms: Date.now() - startedAtMs,
      });
      if (deliveries.length > maxDeliveries) deliveries.pop();
      if (body.action !== 'balance') last.set(uid, callback);
    },
    list: () => [...deliveries],
    findLast: (uid) => last.get(uid),
  };
}

const statusOf = (verdict: Verdict) => (verdict.kind === 'accepted' ? 200 : verdict.status);

const detailOf = (verdict: Verdict) =>
  verdict.kind === 'unknown' ? verdict.reason : (verdict.answer.code ?? verdict.answer.result);
