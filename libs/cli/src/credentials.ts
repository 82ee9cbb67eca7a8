// The demo's credentials: collected from the services, written to a private file and printed.
import { join } from 'node:path';
import { formatTable as table } from '@counterfoil/kit/process/command-line/table';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { writePrivateFile } from './private-files.ts';
import type { StartSettings } from './settings.ts';

interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface LicensingCredentials {
  readonly workspaces: (Person & { api_key: string })[];
}

export interface WalletCredentials {
  readonly admin: Omit<Person, 'name'>;
  readonly packages: (Person & { uid: string; api_key: string; api_secret: string })[];
  /** The demo's connections, with the credentials that a provider needs to call the wallet. */
  readonly connections: { id: string; package_uid: string; dialect: string; url: string }[];
}

interface ProviderCredentials {
  readonly control_token: string;
}

/**
 * The credentials that each service reported at its start. They are undefined if the database is not the
 * demo's.
 */
export interface Hellos {
  readonly licensing: unknown;
  readonly wallet: unknown;
  readonly provider: unknown;
}

export async function writeCredentials(settings: StartSettings, hellos: Hellos): Promise<void> {
  const { addresses } = settings;
  const credentials = {
    licensing: { base_url: addresses.licensing, ...(hellos.licensing ?? { workspaces: [] }) },
    wallet: {
      base_url: addresses.wallet,
      ...(hellos.wallet ?? { admin: null, packages: [], connections: [] }),
    },
    provider: { base_url: addresses.provider, ...(hellos.provider ?? {}) },
  };
  const file = join(settings.dataDir, 'credentials.json');
  await writePrivateFile(file, JSON.stringify(credentials, null, 2));
}

/** Sends the demo's connections to the stand-in provider, which offers their protocols at `/control`. */
export async function handOverConnections({ addresses }: StartSettings, hellos: Hellos): Promise<void> {
  const provider = hellos.provider as ProviderCredentials | undefined;
  const wallet = hellos.wallet as WalletCredentials | undefined;
  if (!provider || !wallet) return;
  const headers = {
    authorization: `Bearer ${provider.control_token}`,
    'content-type': 'application/json',
  };
  for (const connection of wallet.connections) {
    const answer = await fetch(`${addresses.provider}/control/connections`, {
      method: 'POST',
      headers,
      body: JSON.stringify(connection),
      signal: AbortSignal.timeout(deadlineMs(5000)),
    });
    if (!answer.ok) throw new Error(`the stand-in provider answered ${answer.status}`);
  }
}

export function describeDemo(settings: StartSettings, hellos: Hellos): string {
  const { addresses } = settings;
  const licensing = hellos.licensing as LicensingCredentials | undefined;
  const wallet = hellos.wallet as WalletCredentials | undefined;
  const workspace = licensing?.workspaces[0];
  const customer = wallet?.packages[0];
  const parts = [
    table([
      ['Licensing', addresses.licensing, `${addresses.licensing}/docs`],
      ['Wallet', addresses.wallet, `${addresses.wallet}/docs`],
      ['Provider', addresses.provider, 'the stand-in upstream'],
    ]),
  ];
  if (workspace && customer && wallet) {
    parts.push(
      table([
        ['Demo', 'Sign in', 'Password', 'For programs'],
        [workspace.name, workspace.email, workspace.password, workspace.api_key],
        [customer.name, customer.email, customer.password, customer.uid],
        ['Administrator', wallet.admin.email, wallet.admin.password, ''],
      ]),
      [
        '  Try:',
        `  curl -H 'X-Api-Key: ${workspace.api_key}' ${addresses.licensing}/api/account/details`,
        `  curl -H 'X-UID: ${customer.uid}' -H 'X-API-KEY: ${customer.api_key}' \\`,
        `    -H 'X-API-SECRET: ${customer.api_secret}' ` +
          `'${addresses.wallet}/api/v1/user/balance?player_id=player-1'`,
      ].join('\n'),
      '  All credentials, as JSON: npm run --silent credentials',
    );
  }
  return parts.join('\n\n');
}
