// Runs an application as a process: listen, tell who started it, and leave without dropping anyone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../http/app.ts';
import { closeExcessConnections } from '../http/transport/rebalance-connections.ts';
import type { Logger } from '../observability/logging.ts';

export interface ServeOptions {
  readonly app: App;
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
  /** Set once leaving began, so that `/readyz` can tell a load balancer. */
  readonly onDrain?: () => void;
  /** Closes what the application used, after its last answer. */
  readonly onClosed?: () => Promise<void>;
  readonly drainMs?: number;
  /** How long requests are still taken after that, until the load balancer has looked again. */
  readonly noticeMs?: number;
  /** Told to the process that started this one, once the port is open. */
  readonly hello?: unknown;
}

/**
 * Resolves when the port is open. Ends the process by itself on SIGTERM or SIGINT, and when the
 * process that started it is gone: an orphan would hold the port against the next start.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { app, logger, drainMs = 10_000, noticeMs = 0 } = options;
  let leaving = false;
  // Answers on a connection that stays open say that it ends: the next request goes elsewhere.
  app.server.prependListener('request', (_request, response) => {
    if (leaving) response.shouldKeepAlive = false;
  });
  closeExcessConnections(app.server, () => leaving);

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

  await app.listen({ host: options.host, port: options.port });
  logger.info({ host: options.host, port: options.port }, 'listening');
  process.send?.({ ready: true, hello: options.hello });
}
