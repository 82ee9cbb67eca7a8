// A passage between client and service that loses answers: the request arrived, its answer does not.
import type { Interceptor } from './tcp-proxy.ts';

export interface LossCount {
  answers: number;
  lost: number;
}

const beginsAnswer = (chunk: Buffer) => chunk.subarray(0, 7).equals(Buffer.from('HTTP/1.'));

/** Each answer is lost with that probability, and its connection with it. */
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
