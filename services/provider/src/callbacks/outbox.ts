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

/** A bet that nobody saw answered is taken back, under an id that is always the same; that is all. */
export const rollbackOf = (bet: CallbackBody): CallbackBody => ({
  action: 'rollback',
  player_id: bet.player_id,
  transaction_id: `${bet.transaction_id}-rollback`,
  reference_transaction_id: bet.transaction_id,
  ...(bet.round_id !== undefined && { round_id: bet.round_id, round_finished: true }),
});

export async function openOutbox(options: {
  dataDir: string;
  send: SendCallback;
  firstWaitMs: number;
}): Promise<Outbox> {
  const file = join(options.dataDir, 'outbox.json');
  const kept = await openKeptJson<Record<string, KeptEntry>>(file, {});
  const entries = kept.value;
  // A process that died between a bet and its outcome has none: the bet goes back.
  for (const [id, entry] of Object.entries(entries)) {
    if (entry.body.action !== 'bet') continue;
    entries[id] = { ...entry, body: rollbackOf(entry.body), attempts: 0 };
  }
  await kept.save();

  const held = new Set<string>();
  const remove = async (id: string) => {
    delete entries[id];
    held.delete(id);
    await kept.save();
  };
  const list = () => Object.values(entries);
  const listFree = () => list().filter(({ id }) => !held.has(id));
  const background = startBackground({ ...options, listFree, remove });
  return {
    hold: async (entry) => {
      if (!(entry.id in entries) && list().length >= maxEntries) throw fail('overloaded');
      held.add(entry.id);
      entries[entry.id] = { ...entry, attempts: 0 };
      await kept.save();
    },
    release: (id) => {
      held.delete(id);
      background.wake();
    },
    remove,
    list,
    close: background.stop,
  };
}

/** Sends what nobody holds, a few at a time, each again and again with growing waits. */
function startBackground(options: {
  send: SendCallback;
  firstWaitMs: number;
  listFree: () => KeptEntry[];
  remove: (id: string) => Promise<void>;
}): { wake(): void; stop(): Promise<void> } {
  const { send, firstWaitMs, listFree, remove } = options;
  const dueAtMs = new Map<string, number>();
  const sending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const sendOne = async (entry: KeptEntry) => {
    entry.attempts++;
    const verdict = await send(entry, entry.attempts);
    if (isFinal(verdict)) {
      dueAtMs.delete(entry.id);
      return remove(entry.id);
    }
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, entry.attempts));
    dueAtMs.set(entry.id, Date.now() + waitMs);
  };
  const wake = () => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(wake, Math.min(500, firstWaitMs)).unref();
    const due = listFree().filter(({ id }) => (dueAtMs.get(id) ?? 0) <= Date.now());
    for (const entry of due) {
      if (sending.size >= parallel) return;
      if (sending.has(entry.id)) continue;
      const sent = sendOne(entry)
        // A full disk, say: the entry stays, and is sent again.
        .catch(() => void dueAtMs.set(entry.id, Date.now() + longestWaitMs))
        .finally(() => {
          sending.delete(entry.id);
          wake();
        });
      sending.set(entry.id, sent);
    }
  };
  wake();
  return {
    wake,
    stop: async () => {
      isStopped = true;
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
