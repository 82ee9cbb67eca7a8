// A bounded buffer for lines of the callback log. It merges lines that differ only in time, request id or
// result.
import type { CallbackLine, MergedLine } from './callback-log.ts';

export interface CallbackBuffer {
  add(line: CallbackLine): void;
  /** Returns all lines and empties the buffer. */
  drain(): MergedLine[];
}

export function createCallbackBuffer(options: { maxLines: number; onDropped: () => void }): CallbackBuffer {
  let lines = new Map<string, MergedLine>();
  return {
    add: (line) => {
      const key = JSON.stringify([
        line.packageId,
        line.action,
        line.transactionId,
        line.playerId,
        line.roundId,
        line.status,
        line.code,
        line.field,
        line.address,
      ]);
      const known = lines.get(key);
      if (known) known.attempts++;
      else if (lines.size >= options.maxLines) options.onDropped();
      else lines.set(key, { ...line, attempts: 1 });
    },
    drain: () => {
      const drained = [...lines.values()];
      lines = new Map();
      return drained;
    },
  };
}
