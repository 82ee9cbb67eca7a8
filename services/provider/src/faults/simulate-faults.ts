// Simulates the fault of one target (private, public or shared) on all routes of the target.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import type { Faults, FaultTarget } from './faults.ts';

const hugeBytes = 50 * 1024 * 1024;
const longestStallMs = 10 * 60_000;

export function simulateFaults(app: App, faults: Faults, target: FaultTarget): void {
  app.addHook('onRequest', async (request, reply) => {
    switch (faults.read()[target]) {
      case 'down':
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      case 'unavailable':
        throw fail('unavailable');
      case 'stall':
        return stall(request, reply);
      case 'html':
        return reply
          .type('text/html; charset=utf-8')
          .send('<!doctype html><title>Welcome</title><h1>It works!</h1>');
      case 'huge':
        return reply.type('application/json').send(Readable.from(hugeList()));
      default:
        return undefined;
    }
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (faults.read()[target] !== 'drip' || typeof payload !== 'string') return payload;
    reply.removeHeader('content-length');
    return Readable.from(drip(payload));
  });
}

/** The connection stays open without an answer until the caller closes it, at most 10 minutes. */
function stall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  const { socket } = request.raw;
  const timer = setTimeout(() => socket.destroy(), longestStallMs).unref();
  socket.once('close', () => clearTimeout(timer));
  return reply;
}

function* hugeList(): Generator<string> {
  yield '{"updated_at":"2026-01-01T00:00:00Z","games":[';
  const game = `{"id":"filler","name":"${'x'.repeat(64 * 1024)}"},`;
  for (let sent = 0; sent < hugeBytes; sent += game.length) yield game;
  yield '{"id":"last","name":"Last"}]}';
}

async function* drip(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 16) {
    yield text.slice(at, at + 16);
    await sleep(250);
  }
}
