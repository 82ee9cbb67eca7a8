// Runs a proxy between a service and the database. The checker connects to the database directly.

import type { Service } from '../environment/service.ts';
import type { TestEnvironment } from '../environment/test-environment.ts';
import { type Interceptor, openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Starts a service whose database connections all go through the proxy. */
export async function addServiceBehindProxy(
  environment: TestEnvironment,
  interceptor?: () => Interceptor,
): Promise<{ proxy: TcpProxy; service: Service }> {
  const url = new URL(environment.databaseUrl());
  const target = { host: url.hostname, port: Number(url.port) };
  const proxy = await openTcpProxy({ target, ...(interceptor && { interceptor }) });
  environment.onClose(() => proxy.stop());
  url.port = String(proxy.port);
  const service = await environment.addService({ databaseUrl: url.href });
  return { proxy, service };
}
