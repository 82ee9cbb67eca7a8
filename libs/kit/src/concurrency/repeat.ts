// Repeats work in the background, one run at a time, with a pause after each run.

/**
 * Repeats `work`. If a run fails, its error is passed to `onError`, and the next run follows after the pause.
 */
export function repeat(work: () => Promise<void>, pauseMs: number, onError: (error: unknown) => void) {
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
    /** Starts another run after the current run, and resolves when the new run has ended. */
    now: start,
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await run;
    },
  };
}
