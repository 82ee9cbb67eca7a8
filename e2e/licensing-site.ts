// A licensing service on a port of its own, for a browser to visit.
import { createServer } from 'node:net';
import { type Given, givenLicensing } from '../licensing/server/test/given.ts';
import { givenPerson, type Person } from '../licensing/server/test/panel-browser.ts';

export interface LicensingSite extends Given {
  readonly origin: string;
  readonly workspaceId: bigint;
  readonly owner: Person;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** With a workspace and its owner. The clock is the browser's: it goes on by itself. */
export async function openLicensingSite(name = 'Paperlane'): Promise<LicensingSite> {
  const port = await findFreePort();
  const given = await givenLicensing({ LICENSING_PORT: String(port) });
  Object.defineProperty(given.clock, 'now', { get: () => new Date() });
  await given.app.listen({ host: '127.0.0.1', port });
  const workspaceId = await given.workspace({ name });
  const owner = await givenPerson(given, [{ workspaceId }]);
  return { ...given, origin: `http://127.0.0.1:${port}`, workspaceId, owner };
}
