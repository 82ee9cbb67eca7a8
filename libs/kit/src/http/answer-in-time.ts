// If a route has a deadline, answers each of its requests at the deadline at the latest.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

export interface Deadline {
  readonly ms: number;
  /** The error code of the answer. It must not claim a failure, because the work may still be running. */
  readonly code: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deadline?: Deadline;
  }
}

interface Waiting {
  endsAt: number;
  /**
   * The time at which the server began to wait for the client's body; undefined outside this wait. The
   * duration of the wait does not count towards the deadline.
   */
  readingSince: number | undefined;
  timer: NodeJS.Timeout;
}

const minPauseMs = 20;

/**
 * Answers each request at its deadline at the latest. A request may wait for several SQL statements, one
 * after the other, and each statement has its own time limit. Without the deadline, the request could wait
 * for the sum of these limits.
 */
export function answerInTime(
  app: App,
  deadlineOf: (method: string, path: string) => Deadline | undefined,
  answer: (request: FastifyRequest, reply: FastifyReply, code: string) => unknown,
): void {
  const waiting = new WeakMap<FastifyRequest, Waiting>();
  app.addHook('onRoute', (route) => {
    const deadline = deadlineOf([route.method].flat().join(' '), route.url);
    if (deadline) route.config = { ...route.config, deadline };
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { deadline } = request.routeOptions.config;
    if (deadline) waiting.set(request, watch(request, reply, deadline));
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const found = waiting.get(request);
    if (found) found.readingSince = performance.now();
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const found = waiting.get(request);
    if (found?.readingSince !== undefined) {
      found.endsAt += performance.now() - found.readingSince;
      found.readingSince = undefined;
    }
    done();
  });

  const watch = (request: FastifyRequest, reply: FastifyReply, { ms, code }: Deadline): Waiting => {
    const check = () => {
      if (reply.sent) return;
      const leftMs = watched.endsAt - performance.now();
      if (leftMs <= 0 && watched.readingSince === undefined) answer(request, reply, code);
      else watched.timer = setTimeout(check, Math.max(leftMs, minPauseMs));
    };
    const watched: Waiting = {
      endsAt: performance.now() + ms,
      readingSince: undefined,
      timer: setTimeout(check, ms),
    };
    reply.raw.once('close', () => clearTimeout(watched.timer));
    return watched;
  };
}
