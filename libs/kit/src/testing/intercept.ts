// Records the statements that a test sends to PostgreSQL, and removes the error listeners that a CLI command
// leaves on the output streams.
import pg from 'pg';
import type { HotStatement } from '../postgres/distribution/one-shard.ts';

export async function recordSent(work: () => Promise<unknown>): Promise<HotStatement[]> {
  const statements: HotStatement[] = [];
  const prototype = pg.Client.prototype as unknown as {
    query: (this: unknown, ...given: unknown[]) => unknown;
  };
  const { query } = prototype;
  prototype.query = function (request, ...rest) {
    const { name, text, values = [] } = (request ?? {}) as Partial<HotStatement>;
    if (typeof text === 'string') {
      statements.push({ name: name ?? text.slice(0, 40), text, values });
    }
    return query.call(this, request, ...rest);
  };
  try {
    await work();
    return statements;
  } finally {
    prototype.query = query;
  }
}

const streams = [process.stdout, process.stderr];

/**
 * Removes the error listeners that a CLI command added to the output streams, because the test process
 * continues after the command.
 */
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
