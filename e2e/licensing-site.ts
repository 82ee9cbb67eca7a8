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

const nobody: Person = { id: 0n, email: '', password: '' };

/** With a workspace and its owner, unless it is to be empty. The clock is the browser's: it goes on by itself. */
export async function openLicensingSite(
  wanted: { name?: string; empty?: boolean } = {},
): Promise<LicensingSite> {
  const port = await findFreePort();
  const given = await givenLicensing({ LICENSING_PORT: String(port) });
  Object.defineProperty(given.clock, 'now', { get: () => new Date() });
  await given.app.listen({ host: '127.0.0.1', port });
  const origin = `http://127.0.0.1:${port}`;
  if (wanted.empty) return { ...given, origin, workspaceId: 0n, owner: nobody };
  const workspaceId = await given.workspace({ name: wanted.name ?? 'Paperlane' });
  const owner = await givenPerson(given, [{ workspaceId }]);
  return { ...given, origin, workspaceId, owner };
}
