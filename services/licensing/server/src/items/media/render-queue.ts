// Images are rendered one after the other, because an image needs 8 bytes of memory per pixel.
import { fail } from '../../errors.ts';

/** An upload that would wait longer is refused, and its client repeats it later. */
const maxWaiting = 20;
/** One workspace cannot take all places. */
const maxWaitingOfWorkspace = 2;

export interface Turn {
  readonly workspaceId: bigint;
  /** Whether the client has gone. Its work is then skipped. */
  readonly isAborted: () => boolean;
}

let last: Promise<unknown> = Promise.resolve();
let isIdle = true;
let waiting: Turn[] = [];

/** Does the work when all earlier work has ended. Throws if too much work is waiting. */
export function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  if (!isIdle) {
    refuseOverload(turn);
    waiting.push(turn);
  }
  isIdle = false;
  const run = last.then(() => {
    // Work that began at once has never waited.
    waiting = waiting.filter((other) => other !== turn);
    if (turn.isAborted()) throw fail('malformed_request', { cause: new Error('the client has gone') });
    return work();
  });
  const ended = run
    .catch(() => undefined)
    .then(() => {
      isIdle = last === ended;
    });
  last = ended;
  return run;
}

function refuseOverload({ workspaceId }: Turn): void {
  const own = waiting.filter((turn) => turn.workspaceId === workspaceId);
  if (waiting.length >= maxWaiting || own.length >= maxWaitingOfWorkspace) throw fail('overloaded');
}
