// Notes every statement that goes to PostgreSQL while something runs; it is sent all the same.
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
