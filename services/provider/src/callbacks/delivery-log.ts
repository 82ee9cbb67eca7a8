// A log of the last 200 callbacks that were sent, for debugging. It contains no secrets.
import type { Callback, Verdict } from './callback.ts';

const maxDeliveries = 200;

interface Attempt {
  readonly callback: Callback;
  /** The dialect of the callback, or `own` for the wallet's own protocol. */
  readonly protocol: string;
  readonly attempt: number;
  readonly verdict: Verdict;
  readonly startedAtMs: number;
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

export function createDeliveryLog() {
  const deliveries: ReturnType<typeof present>[] = [];
  const last = new Map<string, Callback>();
  return {
    add: (attempt: Attempt): void => {
      deliveries.unshift(present(attempt));
      if (deliveries.length > maxDeliveries) deliveries.pop();
      const { callback } = attempt;
      if (callback.body.action !== 'balance') last.set(callback.uid, callback);
    },
    /** Lists the deliveries, newest first. */
    list: () => [...deliveries],
    findLast: (uid: string) => last.get(uid),
  };
}

const present = ({ callback: { uid, body }, protocol, attempt, verdict, startedAtMs }: Attempt) => ({
  at: new Date(startedAtMs).toISOString(),
  uid,
  protocol,
  action: body.action,
  transaction_id: body.transaction_id ?? null,
  round_id: body.round_id ?? null,
  attempt,
  status: verdict.kind === 'accepted' ? 200 : verdict.status,
  verdict: verdict.kind,
  detail: verdict.kind === 'unknown' ? verdict.reason : (verdict.answer.code ?? verdict.answer.result),
  duration_ms: Date.now() - startedAtMs,
});
