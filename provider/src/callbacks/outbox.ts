// What the wallet must still be told: on disk before it is sent, and sent until it is answered.
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { openKeptJson } from '../kept-json.ts';
import type { Callback, CallbackBody, Verdict } from './callback.ts';
import type { SendCallback } from './send-callback.ts';

/** A full outbox takes no new round, so nothing in it is ever dropped. */
const maxEntries = 1000;
const parallel = 8;
const longestWaitMs = 60_000;

interface OutboxEntry extends Callback {
  /** Of the round: its bet, then its win or its rollback, stand in one place. */
  readonly id: string;
}

interface KeptEntry extends OutboxEntry {
  attempts: number;
}

export interface Outbox {
  /** On disk when it resolves, and held: only the caller sends it until it is released. */
  hold(entry: OutboxEntry): Promise<void>;
  /** Hands the entry over to the background, which sends it until it is answered. */
  release(id: string): void;
  remove(id: string): Promise<void>;
  list(): readonly OutboxEntry[];
  close(): Promise<void>;
}

/** A bet that nobody saw answered is taken back, under an id that is always the same. */
export const rollbackOf = (bet: CallbackBody): CallbackBody => ({
  action: 'rollback',
  player_id: bet.player_id,
  transaction_id: `${bet.transaction_id}-rollback`,
  reference_transaction_id: bet.transaction_id,
  ...(bet.round_id !== undefined && { round_id: bet.round_id }),
});

export async function openOutbox(options: {
  dataDir: string;
  send: SendCallback;
  firstWaitMs: number;
}): Promise<Outbox> {
  const { send, firstWaitMs } = options;
  const kept = await openKeptJson<Record<string, KeptEntry>>(
    join(options.dataDir, 'outbox.json'),
    {},
  );
  const entries = kept.value;
  const held = new Set<string>();
  const dueAtMs = new Map<string, number>();
  const sending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  // A process that died between a bet and its outcome has none: the bet goes back.
  for (const [id, entry] of Object.entries(entries)) {
    if (entry.body.action !== 'bet') continue;
    entries[id] = { ...entry, body: rollbackOf(entry.body), attempts: 0 };
  }
  await kept.save();

  const remove = async (id: string) => {
    delete entries[id];
    held.delete(id);
    dueAtMs.delete(id);
    await kept.save();
  };

  const sendOne = async (entry: KeptEntry) => {
    entry.attempts++;
    const verdict = await send(entry, entry.attempts);
    if (isFinal(verdict)) return remove(entry.id);
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, entry.attempts));
    dueAtMs.set(entry.id, Date.now() + waitMs);
  };

  const pump = () => {
    const now = Date.now();
    for (const entry of Object.values(entries)) {
      if (sending.size >= parallel) break;
      if (held.has(entry.id) || sending.has(entry.id)) continue;
      if ((dueAtMs.get(entry.id) ?? 0) > now) continue;
      const sent = sendOne(entry)
        .catch(() => void dueAtMs.set(entry.id, Date.now() + longestWaitMs))
        .finally(() => {
          sending.delete(entry.id);
          if (!closed) pump();
        });
      sending.set(entry.id, sent);
    }
    clearTimeout(timer);
    if (!closed) timer = setTimeout(pump, Math.min(500, firstWaitMs)).unref();
  };
  pump();

  return {
    hold: async (entry) => {
      if (!(entry.id in entries) && Object.keys(entries).length >= maxEntries) {
        throw fail('overloaded');
      }
      held.add(entry.id);
      entries[entry.id] = { ...entry, attempts: 0 };
      await kept.save();
    },
    release: (id) => {
      held.delete(id);
      pump();
    },
    remove,
    list: () => Object.values(entries),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await Promise.all(sending.values());
    },
  };
}

/**
 * A win or a rollback is refused for good only by what the wallet knows of it. Credentials that are
 * refused may be on their way to being registered anew, and money is not given up over them.
 */
export const isFinal = (verdict: Verdict): boolean =>
  verdict.kind === 'accepted' ||
  (verdict.kind === 'refused' && verdict.status !== 401 && verdict.status !== 403);
