// Work in the background, again and again: one turn at a time, and a pause after each.

interface Loop {
  /** Waits for a turn under way, then takes one. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

/** A failed turn is told of, and the next one comes. */
export function repeat(
  work: () => Promise<void>,
  pauseMs: number,
  onError: (error: unknown) => void,
): Loop {
  let turn = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const take = () => {
    turn = turn.then(work).catch(onError);
    return turn;
  };
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void take().then(schedule), pauseMs).unref();
  };
  schedule();
  return {
    now: take,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
