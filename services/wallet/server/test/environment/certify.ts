// Runs counterfoil providers certify, or its cases alone, against the wallet of a test.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certifyWallet } from '../../src/certify/certify-wallet.ts';
import { createSpeaker } from '../../src/certify/speakers/speakers.ts';
import type { DialectName } from '../../src/connections/dialects/dialect.ts';
import { insertSession } from '../../src/games/store.ts';
import { getAccount } from '../../src/players/queries.ts';
import { giveConnection } from './connections.ts';
import type { Given, GivenPackage } from './given.ts';
import { runWalletCommand } from './run-wallet-command.ts';
import type { Bug } from './small-wallets/bugs.ts';
import { people, sessions } from './small-wallets/small-ledger.ts';
import { createSmallWallet, type SmallWalletTerms } from './small-wallets/small-wallet.ts';

/** Writes the credentials to a file and runs the command `certify` with this file. */
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

/** The secrets of a connection: `ours` are stored in the wallet, and `theirs` are known to the provider. */
export interface CertifiedSecrets {
  readonly ours: Readonly<Record<string, string>>;
  readonly theirs: Readonly<Record<string, string>>;
}

/** Runs all cases of certify against a small wallet, without HTTP. */
export async function certifySmallWallet(wanted: SmallWalletTerms) {
  const { dialect, profile = '', maxStake } = wanted;
  const { credentials, send } = createSmallWallet(wanted);
  const caller = { playerId: people.ann, session: sessions.ann, currency: 'EUR', gameId: 'dice' };
  const { cases } = await certifyWallet({
    speaker: createSpeaker(dialect, { credentials, decimals: 2, profile }),
    caller,
    others: {
      expired: { ...caller, session: sessions.old },
      foreign: { ...caller, session: sessions.bob },
      blocked: { ...caller, playerId: people.eve, session: sessions.eve },
    },
    send,
    decimals: 2,
    maxStake,
  });
  return { cases, failures: cases.filter(({ verdict }) => verdict === 'failed') };
}

/**
 * Returns a maximum stake for the bugs about the maximum stake. All other bugs get no maximum stake, because
 * certify would skip the cases with higher bets.
 */
export const stakeOf = (bug: Bug): bigint | undefined =>
  bug === 'accepts every stake' || bug === 'answers the limit as missing funds' ? 5000n : undefined;

/** Runs all cases of certify with a new connection of the package and a new player with 100.00. */
export async function certifyThisWallet(
  given: Given,
  owner: GivenPackage,
  { dialect, profile = '', secrets }: { dialect: DialectName; profile?: string; secrets: CertifiedSecrets },
) {
  // The command signs requests with the clock of the machine, so the clock of the service is set to the same
  // time. A time that is set only once would be too old after five minutes.
  given.clock.now = new Date();
  const connection = await giveConnection(given, owner, { dialect, profile, secrets: secrets.ours });
  const playerId = await given.player(owner, { balance: '100.00' });
  const blockedId = await given.player(owner, { status: 'blocked' });
  const giveSession = async (token: string, ofPlayer: string, hours = 1) => {
    const { now } = given.clock;
    await insertSession(given.db, {
      packageId: owner.id,
      sessionId: token,
      accountId: await getAccount(given.db, owner.id, ofPlayer),
      gameId: 'dice',
      mode: 'real',
      createdAt: new Date(now.getTime() - 7_200_000),
      expiresAt: new Date(now.getTime() + hours * 3_600_000),
      connectionId: connection.id,
    });
    return token;
  };
  const options = {
    '--player': playerId,
    '--session': await giveSession(`gs_${playerId}`, playerId),
    '--expired-session': await giveSession(`gs_old_${playerId}`, playerId, -1),
    '--other-session': await giveSession(`gs_other_${playerId}`, await given.player(owner)),
    '--blocked-player': blockedId,
    '--blocked-session': await giveSession(`gs_${blockedId}`, blockedId),
    ...(profile && { '--profile': profile }),
  };
  const { port } = given.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/providers/${connection.id}`;
  const more = [...Object.entries(options).flat(), '--json'];
  const result = await runCertify(given, dialect, url, { credentials: secrets.theirs, more });
  const read = await given.app.inject({
    url: `/api/v1/user/balance?player_id=${playerId}`,
    headers: owner.headers,
  });
  return { ...result, report: JSON.parse(result.out), balance: read.json().data.balance };
}
