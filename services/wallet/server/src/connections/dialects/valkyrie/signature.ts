// Valkyrie does not sign its requests. It sends a bearer token, which is compared in constant time.
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import type { Authenticity, ProviderRequest, Secrets } from '../dialect.ts';

type TokenName = 'token' | 'recon_token';

const bearer = /^Bearer +(\S+)$/i;

const authentic: Authenticity = { kind: 'authentic' };
const forged: Authenticity = { kind: 'forged' };

/**
 * Accepts the connection's own token and the recon token. `parse` refuses requests that the recon token does
 * not allow.
 */
export function authenticate(request: ProviderRequest, secrets: readonly Secrets[]): Authenticity {
  const given = readBearer(request);
  if (given === undefined) return forged;
  return isToken(given, 'token', secrets) || isToken(given, 'recon_token', secrets) ? authentic : forged;
}

const readBearer = ({ headers }: ProviderRequest): string | undefined =>
  bearer.exec(headers.authorization ?? '')?.[1];

function isToken(given: string, name: TokenName, secrets: readonly Secrets[]): boolean {
  const bytes = Buffer.from(given, 'utf8');
  return secrets.some((each) => {
    const token = each[name];
    // An empty secret counts as missing, and authenticates nobody.
    return token !== undefined && token !== '' && equalsInConstantTime(bytes, Buffer.from(token, 'utf8'));
  });
}

/**
 * Whether the request has the connection's own token, which allows every request. The comparison need not
 * take constant time: `authenticate` has already accepted the request, so its sender knows the connection's
 * own token or the recon token.
 */
export function hasFullToken(request: ProviderRequest, secrets: readonly Secrets[]): boolean {
  const given = readBearer(request);
  return secrets.some(({ token }) => token !== undefined && token !== '' && token === given);
}

/**
 * Valkyrie can send only one bearer token. Therefore the recon token of Red Tiger arrives in the header for
 * the player's token.
 */
export const isReconToken = (playerToken: string | undefined, secrets: readonly Secrets[]): boolean =>
  playerToken !== undefined && isToken(playerToken, 'recon_token', secrets);

/** The headers of a request as Valkyrie sends them, for tests and for the stand-in provider. */
export function signValkyrieRequest(token: string, playerToken?: string): Record<string, string> {
  const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': '-' };
  return playerToken === undefined ? headers : { ...headers, 'x-player-token': playerToken };
}
