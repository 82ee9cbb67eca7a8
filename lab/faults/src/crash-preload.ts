// Ends the service with kill -9 at a named point of its work. The option --import of Node loads this file
// into the service. The service's build is unchanged and contains no code of this file.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import pg from 'pg';
import type { CrashReport } from './faults/service/kill-at-points.ts';

/** The point at which to crash and the number of the batch, such as `after-commit:17`. */
const [point = '', wanted = '0'] = (process.env.FAULTS_CRASH_AT ?? '').split(':');
const dieAt = Number(wanted);
const reportFile = process.env.FAULTS_CRASH_NOTE ?? '';

let batches = 0;
/** The order ids of the batch that the crash must interrupt. They are set when the batch is committed. */
let committed: readonly string[] | undefined;
let answered = 0;
let heldBack = 0;

/** Writes the report before the kill. A process that ends for another reason leaves no report. */
function die(orders: number): void {
  const note: CrashReport = { point, orders, answered, heldBack };
  writeFileSync(reportFile, JSON.stringify(note));
  process.kill(process.pid, 'SIGKILL');
}

type Call = (...args: unknown[]) => unknown;

/** The index of the parameter with the order ids. The parameter is a PostgreSQL array in text form. */
const idColumn = 17;

/** The order ids of a statement that writes a batch; undefined for every other statement. */
function listIds(given: unknown): string[] | undefined {
  const { name, values } = (given ?? {}) as { name?: unknown; values?: unknown[] };
  if (name !== 'write_plain' && name !== 'write_games') return undefined;
  return [...String(values?.[idColumn]).matchAll(/"([^"]+)"/g)].map(([, id = '']) => id);
}

/**
 * If `ok` is not true, the batch has written nothing: another process moved a journal head, or an id of the
 * batch was stored already. The crash then interrupts a later batch.
 */
function onResult(ids: readonly string[], result: unknown): void {
  const { rows } = (result ?? {}) as { rows?: { ok?: unknown }[] };
  if (rows?.[0]?.ok !== true) return;
  if (point === 'after-commit') die(ids.length);
  if (point === 'between-answers') committed = ids;
}

/**
 * Observes the result of the commit. For the pool, the driver passes the result to a callback. For a
 * transaction, the driver returns the result as a promise.
 */
function watch(ids: readonly string[], query: Call, args: unknown[]): unknown {
  const last = args.at(-1);
  if (typeof last !== 'function') {
    return (query(...args) as Promise<unknown>).then((result) => {
      onResult(ids, result);
      return result;
    });
  }
  const onAnswer = (error: unknown, result: unknown, ...rest: unknown[]) => {
    if (!error) onResult(ids, result);
    (last as Call)(error, result, ...rest);
  };
  return query(...args.slice(0, -1), onAnswer);
}

const prototype = pg.Client.prototype as unknown as { query: Call };
const plainQuery = prototype.query;
prototype.query = function query(this: unknown, ...args: unknown[]) {
  const ids = listIds(args[0]);
  if (!ids || ++batches < dieAt || committed) return plainQuery.apply(this, args);
  // The process must die between two answers of a batch. A batch of one order has only one answer, so the
  // process dies in a later batch.
  if (point === 'between-answers' && ids.length < 2) return plainQuery.apply(this, args);
  if (point === 'before-send') die(ids.length);
  return watch(ids, plainQuery.bind(this), args);
};

const answers = Socket.prototype as unknown as { write: Call };
const plainWrite = answers.write;
// Observes all answers: node:http and the fast path both write answers to a socket.
answers.write = function write(this: Socket, ...args: unknown[]) {
  const text = typeof args[0] === 'string' ? args[0] : '';
  if (!committed || !text.startsWith('HTTP/1.1 ')) return plainWrite.apply(this, args);
  const ids = committed;
  const isOfBatch = ids.some((id) => text.includes(`"transaction_id":"${id}"`));
  if (!isOfBatch || answered > 0) {
    // After the commit, only the first answer of the batch is sent, so that the process dies between two
    // answers.
    heldBack++;
    return true;
  }
  answered++;
  // A socket that node:http has corked sends the answer later, so the process ends only after the socket has
  // passed it to the operating system.
  const [data, encoding] = args;
  const last = args.at(-1);
  return plainWrite.call(this, data, typeof encoding === 'string' ? encoding : 'utf8', (error: unknown) => {
    if (typeof last === 'function') last(error);
    setImmediate(() => die(ids.length));
  });
};
