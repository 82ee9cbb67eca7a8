// Merges forged callbacks, so that a flood shows up in the audit log without filling it.
import { cleanText } from '../logs/log-line.ts';

export type ForgeryReason = 'auth_missing' | 'auth_invalid' | 'signature_invalid' | 'timestamp_out_of_range';

export interface Forgery {
  /** The UID as the sender wrote it. The package of the UID is looked up when the line is written. */
  readonly uid: string;
  readonly address: string;
  readonly reason: ForgeryReason;
}

export interface ForgedSink {
  /**
   * Records a forgery. The function returns at once and never throws, so that a flood does not delay
   * requests.
   */
  record(forgery: Forgery): void;
}

export interface ForgedLine extends Forgery {
  readonly count: number;
  readonly firstAt: Date;
}

export interface ForgedBuffer extends ForgedSink {
  /** Returns the lines that are due. With `all`, returns all lines; the service uses `all` when it closes. */
  drain(options?: { all: boolean }): ForgedLine[];
}

interface Entry {
  readonly forgery: Forgery;
  readonly until: number;
  firstAt: Date;
  count: number;
}

const windowMs = 60_000;
/**
 * A kind is a combination of package, address and reason. At most this number of kinds have separate lines.
 * Forgeries of all other kinds are counted per reason.
 */
const maxKinds = 200;

const maxText = 64;

/**
 * Forgeries with the same package, IP address and reason are of the same kind. The first forgery of a kind is
 * written at the next flush. Further forgeries of this kind in the following minute are counted in one more
 * line. So each kind has at most two lines per minute.
 */
export function createForgedBuffer(now: () => Date): ForgedBuffer {
  const entries = new Map<string, Entry>();

  const find = (forgery: Forgery, at: Date): Entry => {
    const key = `${forgery.reason} ${forgery.address} ${forgery.uid}`;
    const known = entries.get(key);
    if (known) return known;
    const isRest = forgery.address === '' && forgery.uid === '';
    if (entries.size >= maxKinds && !isRest) {
      return find({ uid: '', address: '', reason: forgery.reason }, at);
    }
    const entry = { forgery, until: at.getTime() + windowMs, firstAt: at, count: 0 };
    entries.set(key, entry);
    fresh.add(entry);
    return entry;
  };

  const fresh = new Set<Entry>();
  return {
    record: (forgery) => {
      const at = now();
      const uid = cleanText(forgery.uid, maxText);
      const address = cleanText(forgery.address, maxText);
      const entry = find({ uid, address, reason: forgery.reason }, at);
      if (entry.count === 0) entry.firstAt = at;
      entry.count++;
    },
    drain: (options = { all: false }) => {
      const lines: ForgedLine[] = [];
      const time = now().getTime();
      for (const [key, entry] of entries) {
        const isOver = entry.until <= time;
        if (entry.count > 0 && (isOver || options.all || fresh.has(entry))) {
          lines.push({ ...entry.forgery, count: entry.count, firstAt: entry.firstAt });
          entry.count = 0;
        }
        fresh.delete(entry);
        if (isOver) entries.delete(key);
      }
      return lines;
    },
  };
}
