// Starts a licensing service as the target of attacks, with two workspaces that have objects of every kind.
import { randomBytes } from 'node:crypto';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { allScopes } from '../../../../services/licensing/server/src/authentication/api-key.ts';
import { createLicensingSignIn } from '../../../../services/licensing/server/src/sign-in.ts';
import { selectSigningKeys } from '../../../../services/licensing/server/src/signing-keys/queries.ts';
import { openPrivateKey } from '../../../../services/licensing/server/src/signing-keys/signing-key.ts';
import { type Given, givenLicensing } from '../../../../services/licensing/server/test/environment/given.ts';
import { makeNamed, makeNames, makeUpdateSecrets, type UpdateSecrets } from './licensing-things.ts';
import type { Operation } from './operations.ts';
import {
  askAs,
  giveDeadLetter,
  mailEnvironment,
  mailPassword,
  makePerson,
  openTarget,
  password,
  type RequestHeaders,
  signIn,
  type Target,
  type Things,
} from './target.ts';

interface Workspace {
  readonly id: bigint;
  readonly key: string;
  readonly cookie: string;
  /** The session cookie of the buyer in the buyer portal. */
  readonly buyerCookie: string;
  readonly things: Things;
  /** The private signing keys of the workspace. */
  readonly signingKeys: readonly string[];
  readonly updates: UpdateSecrets;
}

async function listPrivateKeys({ db, config }: Given, id: bigint): Promise<string[]> {
  const keys = await selectSigningKeys(db, id);
  return keys.map((key) => openPrivateKey(config.masterKey, key).export({ format: 'jwk' }).d ?? '');
}

async function signInBuyer(
  { app, config }: Given,
  payload: { email: string; purchase_code: string },
): Promise<string> {
  const headers = { origin: config.publicUrl };
  const answer = await app.inject({ method: 'POST', url: '/panel/buyers/session', headers, payload });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return String(answer.headers['set-cookie']).split(';')[0] ?? '';
}

async function fillWorkspace(given: Given, signInDeps: SignIn): Promise<Workspace> {
  const id = await given.workspace();
  const names = makeNames();
  const { external_id: externalId, search: name, version } = names;
  const itemId = await given.item(id, { externalId, name, version });
  const scopes = allScopes;
  const key = await given.apiKey(id, { scopes });
  const spare = await given.apiKey(id, { scopes, name: 'Spare' });
  const shipped = { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const;
  const publishable = await given.apiKey(id, shipped);
  const buyer = { buyerName: names.buyer_name, buyerEmail: names.buyer_email };
  const { id: purchaseId, code } = await given.purchase(id, itemId, buyer);
  const origin = given.config.publicUrl;
  const membership = { tenantId: id, role: 'owner' } as const;
  const owner = await signIn(signInDeps, [membership]);
  const other = await makePerson(given.db, [membership]);
  const ask = askAs(given.app, { origin, cookie: owner.cookie });
  const workspace = `/panel/workspaces/${id}`;
  await ask('PATCH', workspace, { vendor_clients: ['envato', 'gumroad', 'lemon_squeezy'] });
  const { api_keys: keys } = await ask('GET', `${workspace}/api-keys`);
  const email = 'invited@test.example';
  const invited = await ask('POST', `${workspace}/invitations`, { email, role: 'member' });
  const { endpoint } = await ask('POST', `${workspace}/webhooks`, {
    url: 'https://hooks.invalid/',
    events: ['key.rotated'],
  });
  const uploaded = await given.app.inject({
    method: 'PUT',
    url: `/api/v1/items/${itemId}/versions/${version}/file?file_name=a.zip`,
    headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
    payload: Buffer.from('the file'),
  });
  if (uploaded.statusCode !== 200) throw new Error(uploaded.body);
  const activated = await given.app.inject({
    method: 'POST',
    url: '/api/v1/activations',
    headers: { 'x-api-key': key },
    payload: { purchase_code: code, domain: 'shop.example' },
  });
  const { pool } = await ask('POST', `${workspace}/pools`, { item_id: Number(itemId), name: `Pool ${id}` });
  await ask('POST', `${workspace}/pools/${pool.id}/refill`, { free: 100 });
  const named = await makeNamed(given, names, { id, key, itemId, code });
  const updates = await makeUpdateSecrets(given, { key, itemId, code, machine_id: names.machine_id });
  // After a rotation, the workspace has two private keys.
  await ask('POST', `${workspace}/signing-keys/rotate`, { notice_days: 0 });
  const link = await ask('POST', `${workspace}/purchases/${purchaseId}/download-links`, {});
  const buyerCookie = await signInBuyer(given, { email: names.buyer_email, purchase_code: code });
  const { sessions } = await ask('GET', '/panel/sessions');
  const keyId = keys.find((each: { name: string }) => each.name === 'Spare').id;
  return {
    id,
    key,
    cookie: owner.cookie,
    buyerCookie,
    things: {
      workspace_id: String(id),
      seller_id: String(id),
      item_id: String(itemId),
      purchase_id: String(purchaseId),
      pool_id: String(pool.id),
      purchase_code: code,
      code,
      publishable_key: publishable,
      licence: updates.licence,
      'x-purchase-code': updates.licence,
      license_key: code,
      product_id: String(itemId),
      product_permalink: externalId,
      link_id: externalId,
      instance_id: String(activated.json().data.activation.id),
      item: String(itemId),
      workspace: String(id),
      key_id: String(keyId),
      api_key_id: String(keyId),
      api_key: spare,
      person_id: String(other.id),
      invitation_id: String(invited.id),
      webhook_id: String(endpoint.id),
      mail_id: await giveDeadLetter(given.db, id),
      id: String(sessions[0].id),
      activation_id: String(activated.json().data.activation.id),
      token: String(link.url ?? '').replace(/.*\//, ''),
      password,
      ...named,
    },
    signingKeys: await listPrivateKeys(given, id),
    updates,
  };
}

export async function openLicensingTarget(env: Record<string, string> = {}): Promise<Target> {
  const masterKey = randomBytes(32).toString('base64');
  const given = await givenLicensing({
    MASTER_KEY: masterKey,
    AUTH_FAILURES_PER_MINUTE: '0',
    WRONG_CODES_PER_MINUTE: '0',
    PUBLISHABLE_WRONG_CODES_PER_MINUTE: '0',
    ...mailEnvironment,
    ...env,
  });
  const signInDeps = createLicensingSignIn(given.db, given.config, () => given.clock.now);
  let own = await fillWorkspace(given, signInDeps);
  const foreign = await fillWorkspace(given, signInDeps);
  const headersOf = (
    operation: Operation,
    { key, cookie, buyerCookie }: { key: string; cookie: string; buyerCookie: string },
  ): RequestHeaders => {
    const origin = given.config.publicUrl;
    if (operation.security.includes('session')) return { origin, cookie };
    if (operation.security.includes('buyer')) return { origin, cookie: buyerCookie };
    if (operation.security.length > 0) return { 'x-api-key': key };
    return operation.path.startsWith('/panel/') ? { origin } : {};
  };
  const wrong = {
    key: 'ck_live_wrong',
    cookie: 'counterfoil_licensing=wrong',
    buyerCookie: 'counterfoil_buyer=wrong',
  };
  const holders = {
    own: () => own,
    foreign: () => foreign,
    wrong: () => wrong,
    mixed: () => ({ ...wrong, key: foreign.key }),
  };
  return openTarget({
    name: 'licensing',
    given,
    own: () => own.things,
    foreign: foreign.things,
    holders,
    headersOf,
    logTables: [
      'request_log',
      'api_key_uses',
      'validation_hours',
      'sign_in_failures',
      'audit_log',
      'refused_codes',
    ],
    signIn: signInDeps,
    listSecrets: () => [
      ['master key', masterKey],
      ["mail server's password", mailPassword],
      ...[own, foreign].flatMap(
        ({ key, cookie, buyerCookie, things, signingKeys, updates }): [string, string][] => [
          ...signingKeys.map((each): [string, string] => ['signing key', each]),
          ['key', key],
          ['spare key', things.api_key ?? ''],
          ['session', cookie.split('=')[1] ?? ''],
          ['session of a buyer', buyerCookie.split('=')[1] ?? ''],
          ['code', things.purchase_code ?? ''],
          ['download link', things.token ?? ''],
          ['publishable key', things.publishable_key ?? ''],
          ['licence', updates.licence],
          ['signature of a licence', updates.licence.replace(/.*\./, '')],
          ['download link of an update', updates.downloadToken],
          ["Composer's credentials", updates.composer],
          ['password', password],
        ],
      ),
    ],
    renew: async () => {
      own = await fillWorkspace(given, signInDeps);
    },
    close: () => given.close(),
  });
}
