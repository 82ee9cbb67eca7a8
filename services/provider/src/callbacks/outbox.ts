// Stores callbacks on disk before they are sent, and repeats them until their outcome is final.
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { openJsonFile } from '../json-file.ts';
import type { Callback, CallbackBody, Verdict } from './callback.ts';
import type { SendCallback } from './send-callback.ts';

/** The maximum number of stored callbacks. A full outbox refuses new rounds instead of dropping an entry. */
const maxEntries = 1000;
const parallel = 8;
const longestWaitMs = 60_000;

interface OutboxEntry extends Callback {
  /**
   * The id of the round; some entries have a suffix, such as `-end_round`. A bet is stored under the id
   * without a suffix. The rollback of the bet, or the first call that settles the round, is stored under the
   * same id, so it replaces the bet.
   */
  readonly id: string;
}

interface StoredEntry extends OutboxEntry {
  attempts: number;
}

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/**
 * Makes the rollback of a bet or win. The id of the rollback is made from the id of the bet or win. So all
 * attempts of the rollback have the same id.
 */
export function rollbackOf({ body: original, connection }: Callback): CallbackBody {
  const rollback = {
    action: 'rollback',
    player_id: original.player_id,
    transaction_id: `${original.transaction_id}-rollback`,
    reference_transaction_id: original.transaction_id,
    ...(original.round_id !== undefined && { round_id: original.round_id, round_finished: true }),
  };
  // In the protocol of another provider, a rollback also contains the game, the session and the amount of the
  // original callback.
  return connection === undefined
    ? rollback
    : { ...original, ...rollback, reference_action: original.action };
}

/**
 * Whether the callback takes a stake. If the process ends before the outcome of this callback is known, the
 * next process rolls the callback back.
 */
const takesStake = ({ action }: CallbackBody) => action === 'bet' || action === 'bet_win';

export async function openOutbox(options: { dataDir: string; send: SendCallback; firstWaitMs: number }) {
  const file = join(options.dataDir, 'outbox.json');
  const stored = await openJsonFile<Record<string, StoredEntry>>(file, {});
  const entries = stored.value;
  // A stored bet means that the previous process ended before it knew the outcome. The bet is rolled back.
  for (const [id, entry] of Object.entries(entries)) {
    if (takesStake(entry.body)) entries[id] = { ...entry, body: rollbackOf(entry), attempts: 0 };
  }
  await stored.save();

  const held = new Set<string>();
  const remove = async (id: string) => {
    delete entries[id];
    held.delete(id);
    await stored.save();
  };
  const list = (): readonly StoredEntry[] => Object.values(entries);
  const listFree = () => list().filter(({ id }) => !held.has(id));
  const background = startBackground({ ...options, listFree, remove });
  return {
    /**
     * Resolves when the entry is on disk. Until `release` is called, the outbox does not send the entry; the
     * caller sends it.
     */
    hold: async (entry: OutboxEntry): Promise<void> => {
      if (!(entry.id in entries) && list().length >= maxEntries) throw fail('overloaded');
      held.add(entry.id);
      entries[entry.id] = { ...entry, attempts: 0 };
      await stored.save();
    },
    /** Starts to send the entry in the background, and repeats it until its outcome is final. */
    release: (id: string): void => {
      held.delete(id);
      background.wake();
    },
    remove,
    list,
    close: background.stop,
  };
}

/**
 * Sends the entries that `listFree` returns, eight at a time: the released entries, and the entries that an
 * earlier process left. Repeats each entry at increasing intervals until its outcome is final.
 */
function startBackground(options: {
  send: SendCallback;
  firstWaitMs: number;
  listFree: () => StoredEntry[];
  remove: (id: string) => Promise<void>;
}): { wake(): void; stop(): Promise<void> } {
  const { send, firstWaitMs, listFree, remove } = options;
  const dueAtMs = new Map<string, number>();
  const sending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const sendOne = async (entry: StoredEntry) => {
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
        // After a failure, for example because the disk is full, the entry stays and is sent again.
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

/** Whether the outcome is final. If true, the callback is not sent again. */
export const isFinal = (verdict: Verdict): boolean =>
  verdict.kind === 'accepted' || (verdict.kind === 'refused' && verdict.isFinal);
