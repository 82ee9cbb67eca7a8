// Answers in time whatever a request waits for: at its deadline the caller is told what is known.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

export interface Deadline {
  readonly ms: number;
  /** What the answer says then. It must be true although the work may still go on. */
  readonly code: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deadline?: Deadline;
  }
}

interface Waiting {
  endsAt: number;
  /** Set while the caller sends its body: that time is the caller's own. */
  readingSince: number | undefined;
  timer: NodeJS.Timeout;
}

const shortestPauseMs = 20;

/** Every statement has a time limit of its own, but a request may wait for several, one by one. */
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
      const leftMs = own.endsAt - performance.now();
      if (leftMs <= 0 && own.readingSince === undefined) answer(request, reply, code);
      else own.timer = setTimeout(check, Math.max(leftMs, shortestPauseMs));
    };
    const own: Waiting = {
      endsAt: performance.now() + ms,
      readingSince: undefined,
      timer: setTimeout(check, ms),
    };
    reply.raw.once('close', () => clearTimeout(own.timer));
    return own;
  };
}
