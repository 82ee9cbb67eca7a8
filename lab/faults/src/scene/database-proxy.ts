// A proxy between the services and their database, which the checks themselves go around.
import type { Passage, TcpProxy } from '../tcp-proxy.ts';
import { openTcpProxy } from '../tcp-proxy.ts';
import type { Scene } from './scene.ts';
import type { Service } from './service.ts';

/** For a scene without services: starts one whose connections all pass the proxy. */
export async function addServiceBehindProxy(
  scene: Scene,
  passage?: () => Passage,
): Promise<{ proxy: TcpProxy; service: Service }> {
  const url = new URL(scene.databaseUrl());
  const target = { host: url.hostname, port: Number(url.port) };
  const proxy = await openTcpProxy({ target, ...(passage && { passage }) });
  scene.onClose(() => proxy.stop());
  url.port = String(proxy.port);
  const service = await scene.addService({ databaseUrl: url.href });
  return { proxy, service };
}
