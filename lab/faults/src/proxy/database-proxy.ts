// A proxy between the services and their database, which the checks themselves go around.

import type { Service } from '../environment/service.ts';
import type { TestEnvironment } from '../environment/test-environment.ts';
import { type Interceptor, openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** For a scene without services: starts one whose connections all pass the proxy. */
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
