// How an operation writes its answer: one interface for the router and for the fast path.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyResponse } from './overload-response.ts';

export interface Responder {
  readonly requestId: string;
  /** The client's address. Behind trusted proxies, the one that they report. */
  readonly address: string;
  /** True once an answer was sent, for example the one of the deadline. */
  readonly isAnswered: boolean;
  /** Sends this failure `ms` after the request came, unless another answer was sent before. */
  answerBy(ms: number, makeFailure: () => unknown): void;
  /** Sends 200 with this JSON text, unless an answer was sent before. So do the two below. */
  send(json: string): void;
  fail(error: unknown): void;
  sendReady(response: ReadyResponse): void;
}

/** The responder of a request that came through the router, whose hooks still see the answer. */
export class RouterResponder implements Responder {
  readonly requestId: string;
  readonly address: string;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: unknown) {
    this.requestId = request.id;
    this.address = request.ip;
    this.#reply = reply as FastifyReply;
  }

  /** An error counts as sent while hooks still work on it. */
  get isAnswered(): boolean {
    return this.#reply.sent || this.#reply.failure !== null;
  }

  /** The router has deadlines of its own (`deadlineOf`). */
  answerBy(): void {}

  send(json: string): void {
    if (this.isAnswered) return;
    this.#reply.type('application/json; charset=utf-8').send(json);
  }

  fail(error: unknown): void {
    if (!this.isAnswered) this.#reply.send(error);
  }

  sendReady({ status, headers, body }: ReadyResponse): void {
    if (this.isAnswered) return;
    for (let i = 0; i < headers.length; i += 2) {
      this.#reply.header(headers[i] as string, headers[i + 1]);
    }
    this.#reply.code(status).send(body);
  }
}
