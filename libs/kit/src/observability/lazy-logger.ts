// The logger of a request. It is created with the first log line of the request, because most requests log
// nothing.
import type { FastifyBaseLogger } from 'fastify';

type Bindings = Record<string, unknown>;

/**
 * Creates the child logger when the first line is logged. Creating it for every request would cost more than
 * all other bookkeeping of a short request.
 */
class LazyLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  #open(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }

  get level(): string {
    return this.#parent.level;
  }

  readonly silent = () => {};

  child(bindings: Bindings): FastifyBaseLogger {
    return this.#open().child(bindings);
  }

  fatal(...line: [object, string]): void {
    this.#open().fatal(...line);
  }

  error(...line: [object, string]): void {
    this.#open().error(...line);
  }

  warn(...line: [object, string]): void {
    this.#open().warn(...line);
  }

  info(...line: [object, string]): void {
    this.#open().info(...line);
  }

  debug(...line: [object, string]): void {
    this.#open().debug(...line);
  }

  trace(...line: [object, string]): void {
    this.#open().trace(...line);
  }
}

export const openLazyLogger = (parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger =>
  new LazyLogger(parent, bindings) as unknown as FastifyBaseLogger;
