// Runs a program inside the test's process and takes back the listeners it left on the streams.

const streams = [process.stdout, process.stderr];

/** A command listens for errors of its output until its process ends, which here outlives it. */
export async function withoutLeftListeners<T>(run: () => Promise<T>): Promise<T> {
  const before = streams.map((stream) => stream.listeners('error'));
  try {
    return await run();
  } finally {
    for (const [i, stream] of streams.entries()) {
      for (const listener of stream.listeners('error')) {
        const isLeft = !before[i]?.includes(listener);
        if (isLeft) stream.off('error', listener as () => void);
      }
    }
  }
}
