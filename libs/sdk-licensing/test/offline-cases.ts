// Genuine and forged offline licences for tests, each with the verdict that every client must reach.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { allScopes } from '../../../services/licensing/server/src/authentication/api-key.ts';
import { keyClient } from '../../../services/licensing/server/test/environment/clients.ts';
import type { Given } from '../../../services/licensing/server/test/environment/given.ts';
import type { PublicJwk } from '../src/index.ts';

export interface OfflineCase {
  readonly title: string;
  readonly licence: string;
  readonly keys: { readonly keys: readonly PublicJwk[] };
  readonly domain: string;
  readonly revocations?: string | undefined;
  /** The clock of the host, in seconds. */
  readonly now: number;
  /** 'valid', 'grace', or the reason of the refusal. */
  readonly expected: string;
}

const hour = 3600;
const day = 24 * hour;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Signs changed claims with a key that does not belong to the service, as a forger would. */
function forge(licence: string, changes: { header?: object; claims?: object }, key: KeyObject): string {
  const [header, claims] = licence.split('.');
  const parts = [
    { ...decode(header), ...changes.header },
    { ...decode(claims), ...changes.claims },
  ];
  const content = parts.map(encode).join('.');
  return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
}

export async function makeOfflineCases(given: Given): Promise<OfflineCase[]> {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  const sold = await given.purchase(workspaceId, itemId);
  const refunded = await given.purchase(workspaceId, itemId);
  const domain = 'shop.example';
  const issue = async (code: string) =>
    (await client.send('POST', '/licences', { purchase_code: code, domain })).body.data.licence as string;
  const licence = await issue(sold.code);
  const ended = await issue(refunded.code);
  await client.send('POST', `/purchases/${refunded.id}/refund`);
  const get = (path: string) => given.app.inject({ url: `/.well-known/${path}` });
  const readKeys = async () => (await get(`jwks/${workspaceId}.json`)).json();
  const keys = await readKeys();
  const revocations = (await get(`revocations/${workspaceId}.jwt`)).body;
  await client.send('POST', '/signing-keys/rotate', { overlap_days: 30 });
  const overlapping = await readKeys();
  await client.send('POST', '/signing-keys/rotate', { overlap_days: 0 });
  const { keys: later } = await readKeys();
  const rotated = { keys: later.filter(({ kid }: { kid: string }) => kid !== keys.keys[0].kid) };

  const { privateKey } = generateKeyPairSync('ed25519');
  const stranger = createPrivateKey({ key: privateKey.export({ format: 'jwk' }), format: 'jwk' });
  const [head = '', body = '', end = ''] = licence.split('.');
  const { iat, exp, grace } = decode(body);
  const common = { licence, keys, domain, revocations, now: iat };
  const make = (title: string, expected: string, more: Partial<OfflineCase> = {}): OfflineCase => ({
    ...common,
    ...more,
    title,
    expected,
  });
  return [
    make('a new licence', 'valid'),
    make('a licence with a rotated key during its overlap', 'valid', { keys: overlapping }),
    make('a rotated key without overlap', 'unknown_key', { keys: rotated, revocations: undefined }),
    make('changed claims with the old signature', 'signature_invalid', {
      licence: `${head}.${encode({ ...decode(body), exp: exp + day })}.${end}`,
    }),
    make('claims that a stranger signed', 'signature_invalid', {
      licence: forge(licence, { claims: { domain: 'other.example' } }, stranger),
    }),
    make('the algorithm none', 'malformed', {
      licence: `${encode({ ...decode(head), alg: 'none' })}.${body}.`,
    }),
    make('a revocation list as a licence', 'malformed', { licence: revocations }),
    make('a text that is no licence', 'malformed', { licence: 'a.b' }),
    make('another host', 'wrong_host', { domain: 'other.example' }),
    make('a refunded purchase', 'revoked', { licence: ended }),
    make('a refunded purchase without a list', 'valid', { licence: ended, revocations: undefined }),
    make('a forged list', 'revocations_invalid', {
      revocations: forge(revocations, { claims: { revoked: [] } }, stranger),
    }),
    make('the last second of the clock tolerance', 'valid', { now: exp + 299 }),
    make('a clock that is 26 hours ahead at the expiry', 'grace', { now: exp + 26 * hour }),
    make('a clock that is 26 hours behind at the issue', 'grace', { now: iat - 26 * hour }),
    make('the last second of the grace period', 'grace', { now: exp + grace + 299 }),
    make('the end of the grace period', 'expired', { now: exp + grace + 300 }),
    make('a clock far behind', 'not_yet_valid', { now: iat - grace - 301 }),
  ];
}
