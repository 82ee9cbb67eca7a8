// Runs an application as a process: listens, reports that the port is open, and stops after the last answer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../http/app.ts';
import { openProcessPort, type ProcessPort } from '../http/transport/process-port.ts';
import { closeExcessConnections } from '../http/transport/rebalance-connections.ts';
import type { Logger } from '../observability/logging.ts';

export interface ServeOptions {
  readonly app: App;
  readonly host: string;
  readonly port: number;
  /** A port of this process alone, in addition to `port`. */
  readonly processPort?: number | undefined;
  readonly logger: Logger;
  /** Called when the process begins to stop, so that `/readyz` can report this to a load balancer. */
  readonly onDrain?: () => void;
  /** Called after the last answer, to close the database and other resources of the application. */
  readonly onClosed?: () => Promise<void>;
  readonly drainMs?: number;
  /**
   * The time for which requests are still accepted after `onDrain`. A load balancer needs this time to notice
   * that the process stops.
   */
  readonly noticeMs?: number;
  /** A value for the parent process. The message which reports that the port is open contains it. */
  readonly hello?: unknown;
}

/**
 * The number of new connections that the system keeps until the process accepts them. Linux keeps at most
 * `net.core.somaxconn`, which is 4,096 by default. With Node's default of 511, the system drops connections
 * if many clients connect at once, and the clients try again only after a second or more.
 */
const backlog = 4096;

/**
 * Opens the port, and resolves when the port is open. The process stops on SIGTERM and SIGINT. A process with
 * an IPC channel also stops when its parent process ends. Otherwise the process would still occupy the port
 * at the next start.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { app, logger, drainMs = 10_000, noticeMs = 0 } = options;
  let leaving = false;
  let processPort: ProcessPort | undefined;
  // While the process stops, its answers have `Connection: close`, so that the next request goes to another
  // process.
  app.server.prependListener('request', (_request, response) => {
    if (leaving) response.shouldKeepAlive = false;
  });
  const count = closeExcessConnections(app.server, {
    isLeaving: () => leaving,
    isPinned: (socket) => processPort?.has(socket) === true,
  });
  // Requests that are read directly from a socket do not reach the listeners above. So their connections are
  // counted here. While the process stops, node:http serves all requests.
  app.socketRequests?.restrict((socket) => !leaving && count(socket));

  const leave = async (reason: string, exitCode = 0): Promise<void> => {
    if (leaving) return;
    leaving = true;
    logger.info({ reason }, 'leaving');
    options.onDrain?.();
    if (exitCode === 0 && noticeMs > 0) await sleep(noticeMs);
    const deadline = setTimeout(() => {
      logger.warn('some answers took longer than the drain allows; closing their connections');
      app.server.closeAllConnections();
    }, drainMs);
    try {
      await processPort?.close();
      await app.close();
      await options.onClosed?.();
    } catch (error) {
      logger.error({ err: error }, 'closing failed');
    }
    clearTimeout(deadline);
    process.exit(exitCode);
  };

  process.once('SIGTERM', () => void leave('SIGTERM'));
  process.once('SIGINT', () => void leave('SIGINT'));
  process.once('disconnect', () => void leave('the starting process is gone'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught');
    void leave('uncaught error', 1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    void leave('unhandled rejection', 1);
  });

  const { host, port } = options;
  await app.listen({ host, port, backlog });
  if (options.processPort !== undefined) {
    processPort = await openProcessPort(app.server, { host, port: options.processPort, backlog });
  }
  logger.info({ host, port }, 'listening');
  process.send?.({ ready: true, hello: options.hello });
}
