// Loaded into the service by Node's --import: kills it with kill -9 at a named point of its work.
// The service's own build runs unchanged; without this flag of Node nothing of it exists there.
import { ServerResponse } from 'node:http';
import pg from 'pg';

/** Where to die, and how many batches are written before that: `after-commit:17`. */
const [point = '', wanted = '0'] = (process.env.FAULTS_CRASH_AT ?? '').split(':');
const dieAt = Number(wanted);

const die = () => process.kill(process.pid, 'SIGKILL');

let batches = 0;
/** Answers that may still leave once the batch to die in is committed. */
let answersLeft = Number.POSITIVE_INFINITY;

type Call = (...args: unknown[]) => unknown;

const isBatch = (given: unknown): boolean => {
  const { name } = (given ?? {}) as { name?: unknown };
  return name === 'write_plain' || name === 'write_games';
};

function onCommitted(): void {
  if (point === 'after-commit') die();
  if (point === 'between-answers') answersLeft = 1;
}

/** The pool hands over a callback, a transaction awaits a promise: both are told of the commit. */
function watch(query: Call, client: unknown, args: unknown[]): unknown {
  const last = args.at(-1);
  if (typeof last === 'function') {
    const told = (error: unknown, ...rest: unknown[]) => {
      if (!error) onCommitted();
      (last as Call)(error, ...rest);
    };
    return query.apply(client, [...args.slice(0, -1), told]);
  }
  return (query.apply(client, args) as Promise<unknown>).then((result) => {
    onCommitted();
    return result;
  });
}

const prototype = pg.Client.prototype as unknown as { query: Call };
const plainQuery = prototype.query;
prototype.query = function query(this: unknown, ...args: unknown[]) {
  if (!isBatch(args[0]) || ++batches !== dieAt) return plainQuery.apply(this, args);
  if (point === 'before-send') die();
  return watch(plainQuery, this, args);
};

const answers = ServerResponse.prototype as unknown as { end: Call };
const plainEnd = answers.end;
answers.end = function end(this: ServerResponse, ...args: unknown[]) {
  if (answersLeft === Number.POSITIVE_INFINITY) return plainEnd.apply(this, args);
  if (answersLeft-- > 0) {
    // Dies once this one is on its way; those behind it are never written.
    this.once('finish', () => setImmediate(die));
    return plainEnd.apply(this, args);
  }
  return this;
};
