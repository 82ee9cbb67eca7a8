// Starts a licensing service on a free port, with a browser for its panel.
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import { seedDemo } from '@counterfoil/licensing-server/demo/seed';
import { type Given, givenLicensing } from '../../services/licensing/server/test/environment/given.ts';
import { givenPerson, type Person } from '../../services/licensing/server/test/environment/panel-browser.ts';
import type { Look, WatchedPage } from './browser.ts';
import { type Browsing, describeWithSite, withBrowser } from './browsing.ts';
import { controlClock, type SiteClock } from './site-clock.ts';

export interface LicensingSite extends Given, Browsing {
  readonly origin: string;
  readonly ahead: SiteClock;
  readonly workspaceId: bigint;
  readonly owner: Person;
  /** Opens a path of the workspace as its owner. */
  visitAsOwner(path: string, look?: Look): Promise<WatchedPage>;
  /** Validates a purchase code through the published API. */
  validate(key: string, code: string): Promise<{ status: string; code?: string }>;
}

export interface DemoWorkspace {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
  readonly items: readonly { readonly id: number; readonly kind: string }[];
  readonly purchases: readonly { readonly purchase_code: string }[];
}

/** The first workspace of the demo data, with its credentials and contents. */
export async function getDemoWorkspace(site: Given): Promise<DemoWorkspace> {
  const found = await findDemoCredentials(site.db, site.config.masterKey);
  const [first] = (found as { workspaces: DemoWorkspace[] }).workspaces;
  if (!first) throw new Error('the demo has no workspace');
  return first;
}

const nobody: Person = { id: 0n, email: '', password: '' };

/** Starts licensing with a workspace and its owner, with an empty database, or with the demo data. */
export async function openLicensingSite(
  wanted: { name?: string; empty?: boolean; demo?: boolean; settings?: Record<string, string> } = {},
): Promise<LicensingSite> {
  const port = await findFreePort();
  const given = await givenLicensing({
    LICENSING_PORT: String(port),
    ...(wanted.demo && { DEMO: 'on' }),
    ...wanted.settings,
  });
  const ahead = controlClock(given.clock);
  await given.app.listen({ host: '127.0.0.1', port });
  const origin = `http://127.0.0.1:${port}`;
  if (wanted.demo) await seedDemo(given.db, given.config);
  const bare = wanted.empty || wanted.demo;
  const workspaceId = bare ? 0n : await given.workspace({ name: wanted.name ?? 'Paperlane' });
  const owner = bare ? nobody : await givenPerson(given, [{ workspaceId }]);
  const site = await withBrowser({ ...given, origin, ahead, workspaceId, owner });
  const visitAsOwner = (path: string, look?: Look) => site.visit(owner, `/w/${workspaceId}${path}`, look);
  const validate = async (key: string, code: string) => {
    const response = await fetch(`${origin}/api/purchases/validation`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: new URLSearchParams({ purchase_code: code }),
    });
    return (await response.json()) as { status: string; code?: string };
  };
  return { ...site, visitAsOwner, validate };
}

export const describeLicensing = (
  title: string,
  body: (site: LicensingSite) => void,
  open: () => Promise<LicensingSite> = () => openLicensingSite(),
): void => describeWithSite(title, open, body);
