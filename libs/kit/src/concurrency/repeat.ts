// Repeats work in the background, one run at a time, with a pause after each.

interface Loop {
  /** Starts another run after the current one, and resolves when it has ended. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

/** The error of a failed run is passed to `onError`. The next run follows after the pause. */
export function repeat(work: () => Promise<void>, pauseMs: number, onError: (error: unknown) => void): Loop {
  let run = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const start = () => {
    run = run.then(work).catch(onError);
    return run;
  };
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void start().then(schedule), pauseMs).unref();
  };
  schedule();
  return {
    now: start,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await run;
    },
  };
}
