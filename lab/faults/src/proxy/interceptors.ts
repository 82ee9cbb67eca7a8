// Interceptors that cut commits, that drop or cut the answers to commits, and that drop answers to callers.
import { createMessageReader, type PgMessage, queryOf, statementOf } from './pg-messages.ts';
import type { Interceptor, Verdict } from './tcp-proxy.ts';

/**
 * `hang` and `close` drop the answer after the server has committed; `hang` then leaves the connection open
 * and silent, and `close` closes it. `cut_answer` forwards half of the answer and then closes the connection.
 * `cut_request` forwards half of the request and then closes the connection.
 */
export type CommitOutcome = 'pass' | 'hang' | 'close' | 'cut_answer' | 'cut_request';

export interface CommitCount {
  /** The number of commits whose answer reached the proxy. */
  seen: number;
  /** The number of commits whose answer the proxy dropped or cut, or whose request the proxy cut. */
  spoilt: number;
}

/** The wallet's statements that write a batch and commit it implicitly. */
const implicitCommit = /^write_/;

const isCommit = (message: PgMessage): boolean =>
  implicitCommit.test(statementOf(message) ?? '') || /^\s*commit\b/i.test(queryOf(message) ?? '');

/** ReadyForQuery contains the transaction state. Inside a transaction, the statement is not committed yet. */
const isInTransaction = ({ bytes }: PgMessage) => bytes[5] !== 'I'.charCodeAt(0);

const half = (bytes: Buffer) => bytes.subarray(0, Math.ceil(bytes.length / 2));
const nothing = Buffer.alloc(0);

interface Watch {
  outcome: CommitOutcome | undefined;
  answer: Buffer[];
  isDone: boolean;
}

function endAnswer(watch: Watch, count: CommitCount, ready: PgMessage): Verdict {
  const bytes = Buffer.concat(watch.answer);
  const { outcome } = watch;
  watch.answer = [];
  watch.outcome = undefined;
  if (!watch.isDone || isInTransaction(ready)) return { pass: bytes };
  count.seen++;
  if (outcome === undefined || outcome === 'pass') return { pass: bytes };
  count.spoilt++;
  if (outcome === 'cut_answer') return { pass: half(bytes), after: 'close' };
  return { pass: nothing, after: outcome === 'hang' ? 'silence' : 'close' };
}

/**
 * Calls `decide` for each commit. The result determines what the proxy does with the request and with the
 * answer.
 */
export function spoilCommits(decide: () => CommitOutcome, count: CommitCount): () => Interceptor {
  return () => {
    const requests = createMessageReader('client');
    const answers = createMessageReader('server');
    const watch: Watch = { outcome: undefined, answer: [], isDone: false };
    return {
      toServer: (chunk) => {
        const isWatched = requests(chunk).some(isCommit);
        if (!isWatched) return { pass: chunk };
        watch.outcome = decide();
        watch.isDone = false;
        if (watch.outcome !== 'cut_request') return { pass: chunk };
        count.spoilt++;
        return { pass: half(chunk), after: 'close' };
      },
      toClient: (chunk) => {
        if (watch.outcome === undefined) {
          answers(chunk);
          return { pass: chunk };
        }
        // Collects the answer until ReadyForQuery, because the server commits after CommandComplete.
        let ready: PgMessage | undefined;
        for (const message of answers(chunk)) {
          watch.answer.push(message.bytes);
          if (message.type === 'C') watch.isDone = true;
          if (message.type === 'E') watch.isDone = false;
          if (message.type === 'Z') ready = message;
        }
        return ready ? endAnswer(watch, count, ready) : { pass: nothing };
      },
    };
  };
}

export interface LossCount {
  answers: number;
  lost: number;
}

const beginsAnswer = (chunk: Buffer) => chunk.subarray(0, 7).equals(Buffer.from('HTTP/1.'));

/** Drops each answer with this probability and closes its connection. */
export function loseAnswers(
  share: () => number,
  count: LossCount,
  draw: () => number = Math.random,
): () => Interceptor {
  return () => ({
    toServer: (chunk) => ({ pass: chunk }),
    toClient: (chunk) => {
      if (!beginsAnswer(chunk)) return { pass: chunk };
      count.answers++;
      if (draw() >= share()) return { pass: chunk };
      count.lost++;
      return { pass: Buffer.alloc(0), after: 'close' };
    },
  });
}
