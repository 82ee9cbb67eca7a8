// An operation writes its answer with this interface, which the router and the fast path implement.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyResponse } from './overload-response.ts';

export interface Responder {
  readonly requestId: string;
  /** The client's address. Behind trusted proxies, it is the address that they report. */
  readonly address: string;
  /** True once an answer was sent, for example the error answer at the deadline. */
  readonly isAnswered: boolean;
  /** Sends this failure `ms` after the request arrived, unless another answer was sent before. */
  answerBy(ms: number, makeFailure: () => unknown): void;
  /** Sends 200 with this JSON text. `send`, `fail` and `sendReady` do nothing once an answer was sent. */
  send(json: string): void;
  fail(error: unknown): void;
  sendReady(response: ReadyResponse): void;
}

/** The responder for requests that the router serves. The hooks of the router still process the answer. */
export class RouterResponder implements Responder {
  readonly requestId: string;
  readonly address: string;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: unknown) {
    this.requestId = request.id;
    this.address = request.ip;
    this.#reply = reply as FastifyReply;
  }

  /** True as soon as an answer was sent, or while the router's hooks still process an error answer. */
  get isAnswered(): boolean {
    return this.#reply.sent || this.#reply.failure !== null;
  }

  /** Does nothing, because the router enforces deadlines itself (`deadlineOf`). */
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
