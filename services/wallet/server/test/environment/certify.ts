// Runs counterfoil providers certify against the wallet of a test.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DialectName } from '../../src/connections/dialects/dialect.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { giveConnection } from './connections.ts';
import type { Given, GivenPackage } from './given.ts';
import { runWalletCommand } from './run-wallet-command.ts';

/** Runs the command with these credentials in a file. */
export async function runCertify(
  given: Given,
  dialect: DialectName,
  url: string,
  { credentials, more = [] }: { credentials: object; more?: readonly string[] },
) {
  const file = join(tmpdir(), `certify-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(credentials));
  const words = ['providers', 'certify', url, '--dialect', dialect, '--credentials', file, ...more];
  try {
    return await runWalletCommand(given, words);
  } finally {
    await rm(file);
  }
}

/** The secrets of a connection, and those that the provider knows. */
export interface CertifiedSecrets {
  readonly ours: Readonly<Record<string, string>>;
  readonly theirs: Readonly<Record<string, string>>;
}

/** Runs all cases for a new connection of the package and a new player with 100.00 and a session. */
export async function certifyThisWallet(
  given: Given,
  owner: GivenPackage,
  { dialect, profile = '', secrets }: { dialect: DialectName; profile?: string; secrets: CertifiedSecrets },
) {
  const connection = await giveConnection(given, owner, { dialect, profile, secrets: secrets.ours });
  const playerId = await given.player(owner, { balance: '100.00' });
  const session = `gs_${playerId}`;
  await insertSession(given.db, {
    packageId: owner.id,
    sessionId: session,
    accountId: await getAccount(given.db, owner.id, playerId),
    gameId: 'dice',
    mode: 'real',
    createdAt: given.clock.now,
    expiresAt: new Date(given.clock.now.getTime() + 3_600_000),
    connectionId: connection.id,
  });
  const { port } = given.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/providers/${connection.id}`;
  const more = ['--player', playerId, '--session', session, ...(profile ? ['--profile', profile] : [])];
  const result = await runCertify(given, dialect, url, {
    credentials: secrets.theirs,
    more: [...more, '--json'],
  });
  const read = await given.app.inject({
    url: `/api/v1/user/balance?player_id=${playerId}`,
    headers: owner.headers,
  });
  return { ...result, report: JSON.parse(result.out), balance: read.json().data.balance };
}
