// Creates bets in the wallet's own protocol and in each dialect, for the players of a dataset.
import { generateKeyPairSync } from 'node:crypto';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import { operator } from '@counterfoil/wallet-server/audit/audit-event';
import { deriveCallbackKeys } from '@counterfoil/wallet-server/callbacks/security/callback-keys';
import { signRequest } from '@counterfoil/wallet-server/callbacks/security/signature';
import { createSpeaker } from '@counterfoil/wallet-server/certify/speakers/speakers';
import { createConnection } from '@counterfoil/wallet-server/connections/change-connections';
import type { DialectName, Secrets } from '@counterfoil/wallet-server/connections/dialects/dialect';
import { dialects } from '@counterfoil/wallet-server/connections/dialects/dialects';
import { revealAesKey } from '@counterfoil/wallet-server/packages/credentials/aes-key';
import { editPackage } from '@counterfoil/wallet-server/packages/edit-package';
import { namePlayer } from '../growth/fill-ledger.ts';
import type { LoadTarget } from '../load-target/load-target.ts';
import { masterKeyText } from '../wallet/dataset.ts';
import type { SentRequest } from './send-all.ts';

export interface Bettor {
  /** Returns the authenticated request of a bet of 0.01. `n` chooses the player. */
  bet(id: string, n: number): SentRequest;
  isAccepted(status: number, text: string): boolean;
}

/** The number of players that bet. Each of them has a game session at every connection. */
const playerCount = 200;
const gameId = 'dice';
const currency = 'EUR';

/**
 * Creates bets in the wallet's own protocol. Signed bets are bets of the second package, which requires
 * signatures.
 */
export async function createOwnBettor(
  target: LoadTarget,
  { withSession, isSigned }: { withSession: boolean; isSigned: boolean },
): Promise<Bettor> {
  const { dataset } = target;
  const owner = getPackage(dataset, isSigned ? 1 : 0);
  const sign = isSigned ? await requireSignatures(target.db, owner.id) : () => ({});
  if (withSession) await openSessions(target, { packageId: owner.id, source: 'own', connectionId: null });
  const path = '/api/v1/game/callback';
  return {
    bet: (id, n) => {
      const player = namePlayer(n % playerCount, dataset.digits);
      const bet = {
        action: 'bet',
        player_id: player,
        round_id: id,
        game_id: gameId,
        transaction_id: id,
        amount: 0.01,
        currency,
        ...(withSession && { session_id: nameSession('own', player) }),
      };
      const body = JSON.stringify(bet);
      return { method: 'POST', path, headers: { ...owner.headers, ...sign(path, body) }, body };
    },
    isAccepted: (status) => status === 200,
  };
}

/** Lets the package accept signed callbacks only. Returns a function that makes the header of a signature. */
async function requireSignatures(db: Db, packageId: number) {
  const target = { packageId, actor: operator, at: new Date() };
  const aesKey = await db.transaction(async (tx) => {
    await editPackage(tx, target, { callback_security: 'signed' });
    return (await revealAesKey(tx, parseMasterKey(masterKeyText), target)).current;
  });
  const key = deriveCallbackKeys(aesKey).sign;
  return (path: string, body: string) => {
    const unix = Math.floor(Date.now() / 1000);
    const signed = { unix, method: 'POST', path, body: Buffer.from(body) };
    return { 'x-signature': signRequest(key, signed) };
  };
}

const nameSession = (source: string, playerId: string) => `${source}-${playerId}`;

/** Creates a game session for each player of a package. `source` is a part of the sessions' ids. */
async function openSessions(
  { db, dataset }: LoadTarget,
  of: { packageId: number; source: string; connectionId: string | null },
) {
  await db.query(
    `insert into game_sessions
       (package_id, id, account_id, game_id, mode, created_at, expires_at, connection_id)
     select package_id, $2::text || '-' || player_id, account_id, $3, 'real', now(),
            now() + interval '1 day', $4
     from players where package_id = $1 and player_id < $5`,
    [of.packageId, of.source, gameId, of.connectionId, namePlayer(playerCount, dataset.digits)],
  );
}

/**
 * Creates a connection in this dialect, and a game session for each player. Returns a `Bettor` whose requests
 * are bets of the provider to this connection.
 */
export async function createProvider(target: LoadTarget, dialect: DialectName): Promise<Bettor> {
  const { db, dataset } = target;
  const { id: packageId } = getPackage(dataset);
  const { chosen, credentials } = chooseSecrets(dialect);
  const settings = {
    name: dialect,
    dialect,
    profile: '',
    gamePrefix: '',
    currencies: {},
    upstreamUrl: undefined,
  };
  const { connection, secrets } = await db.transaction((tx) =>
    createConnection(
      tx,
      { masterKey: parseMasterKey(masterKeyText), dialects },
      { ...settings, secrets: chosen, packageId, actor: operator, at: new Date() },
    ),
  );
  await openSessions(target, { packageId, source: dialect, connectionId: connection.id });
  const speaker = createSpeaker(dialect, {
    credentials: { ...secrets, ...credentials },
    decimals: 2,
    profile: '',
  });
  return {
    bet: (id, n) => {
      const playerId = namePlayer(n % playerCount, dataset.digits);
      const caller = { playerId, session: nameSession(dialect, playerId), currency, gameId };
      const { method, path, query, headers, body } = speaker.sign(
        speaker.bet(caller, { id, round: id, amount: 1n }),
      );
      const address = `/providers/${connection.id}${path}${query && `?${query}`}`;
      return { method, path: address, headers: headers as Record<string, string>, body };
    },
    isAccepted: (status, text) => speaker.read(status, text).accepted,
  };
}

/** Returns the processor time, in microseconds, of checking the signature of one hub88 bet. */
export function measureRsa(count: number): number {
  const { chosen, credentials } = chooseSecrets('hub88');
  const speaker = createSpeaker('hub88', { credentials, decimals: 2, profile: '' });
  const caller = { playerId: 'player', session: 'session', currency, gameId };
  const { method, path, query, headers, body } = speaker.sign(
    speaker.bet(caller, { id: 'bet', round: 'round', amount: 1n }),
  );
  const request = { method, path, query, headers, body };
  const check = () => dialects.hub88.authenticate(request, [chosen], 0).kind === 'authentic';
  // The first check imports the key, which the wallet does only once.
  if (!check()) throw new Error('the signature of a bet was not accepted');
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) check();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

function getPackage({ packages }: LoadTarget['dataset'], index = 0) {
  const found = packages[index];
  if (!found) throw new Error('the dataset has no package');
  return found;
}

/**
 * Returns two sets of secrets. The connection stores `chosen`. `credentials` contains the private key with
 * which the provider signs, and is empty if the provider signs with a secret that the connection stores.
 */
function chooseSecrets(dialect: DialectName): { chosen: Secrets; credentials: Secrets } {
  if (dialect === 'softswiss') return { chosen: { token: 'bench-token-0123456789' }, credentials: {} };
  if (dialect === 'slotegrator') {
    return { chosen: { merchant_id: 'bench', merchant_key: 'bench-key-0123456789' }, credentials: {} };
  }
  if (dialect === 'valkyrie') return { chosen: {}, credentials: {} };
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { chosen: { provider_public_key_pem: publicKey }, credentials: { private_key_pem: privateKey } };
}
