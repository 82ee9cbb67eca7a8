// `counterfoil credentials`: prints the credentials of the last start. Secrets are printed only on request.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type OutputOptions, printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { LicensingCredentials, WalletCredentials } from '../credentials.ts';
import type { CommandContext } from './services.ts';

export interface CredentialOptions extends OutputOptions {
  readonly withSecrets?: boolean;
}

interface Credentials {
  readonly licensing: LicensingCredentials & { base_url: string };
  readonly wallet: Pick<WalletCredentials, 'packages'> & {
    base_url: string;
    admin: WalletCredentials['admin'] | null;
    /** The connections. They are absent in files that version 0.1 wrote. */
    connections?: WalletCredentials['connections'];
  };
}

interface Secrets {
  readonly password: string;
  readonly api_key?: string;
  readonly api_secret?: string;
}

const secretHeads = ['PASSWORD', 'API KEY', 'API SECRET'];

export async function printCredentials(context: CommandContext, given: CredentialOptions): Promise<void> {
  const file = join(resolve(context.env.DATA_DIR || './data'), 'credentials.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new CommandRefused(
      'There are no demo credentials yet: run counterfoil start once to create them.',
      'not_found',
    );
  });
  const found = JSON.parse(text) as Credentials;
  const { licensing, wallet } = found;
  const rows = [
    ...licensing.workspaces.map((each) => ({ ...each, at: licensing.base_url, uid: '' })),
    ...wallet.packages.map((each) => ({ ...each, at: wallet.base_url })),
    ...(wallet.admin ? [{ ...wallet.admin, name: 'Administrator', at: wallet.base_url, uid: '' }] : []),
    // The credentials of a connection depend on its dialect, so they are only in the JSON output.
    ...(wallet.connections ?? []).map(({ url, dialect, package_uid: uid }) => ({
      ...{ at: url, name: `Connection: ${dialect}`, email: '', uid, password: '' },
    })),
  ];
  const secretsOf = (each: Secrets) =>
    given.withSecrets ? [each.password, each.api_key, each.api_secret].map((text = '') => text) : [];
  printRows({ ...context, columns: given.withSecrets ? undefined : context.columns }, given, {
    json: found,
    head: ['AT', 'NAME', 'SIGN IN', 'UID', ...(given.withSecrets ? secretHeads : [])],
    keep: ['AT', 'UID'],
    rows: rows.map((each) => [each.at, each.name, each.email, each.uid, ...secretsOf(each)]),
  });
}
