// Lines of the callback log that wait to be written: bounded, and equal ones of one second are one.
import type { CallbackLine, FoldedLine } from './callback-log.ts';

export interface CallbackBuffer {
  add(line: CallbackLine): void;
  /** Hands over what is there and begins anew. */
  take(): FoldedLine[];
}

export function createCallbackBuffer(options: {
  maxLines: number;
  onDropped: () => void;
}): CallbackBuffer {
  let lines = new Map<string, FoldedLine>();
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
    take: () => {
      const taken = [...lines.values()];
      lines = new Map();
      return taken;
    },
  };
}
