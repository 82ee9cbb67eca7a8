// Starts a wallet service as the target of attacks, with a provider and two packages that have objects of
// every kind.
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { createWalletSignIn } from '../../../../services/wallet/server/src/sign-in.ts';
import {
  type Given,
  type GivenPackage,
  givenWallet,
} from '../../../../services/wallet/server/test/environment/given.ts';
import { giveProgram } from '../../../../services/wallet/server/test/environment/people.ts';
import { givenProvider } from '../../../../services/wallet/server/test/environment/provider.ts';
import type { Credentials } from './cases.ts';
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
import { makeLead, makeNumbered } from './wallet-things.ts';

interface FilledPackage {
  readonly of: GivenPackage;
  readonly cookie: string;
  readonly things: Things;
}

let counter = 0;

async function fillPackage(
  given: Given,
  signInDeps: SignIn,
  administrator: string,
  lead = 0,
): Promise<FilledPackage> {
  const of = await given.package({ credit: '100000.00' });
  await makeLead(given, of, lead);
  const number = ++counter;
  const playerId = await given.player(of, { playerId: `player-a${number}`, balance: '100.00' });
  const origin = given.config.publicUrl;
  const membership = { tenantId: BigInt(of.id), role: 'owner' } as const;
  const owner = await signIn(signInDeps, [membership]);
  const other = await makePerson(given.db, [membership]);
  const asProgram = askAs(given.app, of.headers);
  const asOwner = askAs(given.app, { origin, cookie: owner.cookie });
  const asAdministrator = askAs(given.app, { origin, cookie: administrator });
  const roundId = `round-a${number}`;
  const callback = { player_id: playerId, round_id: roundId, game_id: 'a' };
  const transactionId = `bet-a${number}`;
  const bet = { action: 'bet', type: 'bet', transaction_id: transactionId, amount: 1 };
  await asProgram('POST', '/api/v1/game/callback', { ...callback, ...bet });
  const launched = await asProgram('POST', '/api/v1/game/launch', {
    player_id: playerId,
    game_id: 'a',
  });
  const prefix = `/panel/packages/${of.id}`;
  const { key_pairs: pairs } = await asOwner('GET', `${prefix}/key-pairs`);
  const email = 'invited@test.example';
  const invited = await asOwner('POST', `${prefix}/invitations`, { email, role: 'member' });
  const { endpoint } = await asOwner('POST', `${prefix}/webhooks`, {
    url: 'https://hooks.invalid/',
    events: ['package.suspended'],
  });
  const { connection } = await asOwner('POST', `${prefix}/connections`, {
    name: 'Given',
    dialect: 'valkyrie',
  });
  // Makes two calls, so that the list of calls has a second page.
  for (const _call of [1, 2]) {
    await asOwner('POST', `${prefix}/connections/${connection.id}/test`, { player_id: playerId });
  }
  const { sessions } = await asOwner('GET', '/panel/sessions');
  const numbered = { asProgram, asAdministrator, bet: { ...callback, ...bet }, number };
  const made = await asAdministrator('POST', '/panel/admin/admin-tokens', {
    name: `Spare ${number}`,
  });
  return {
    of,
    cookie: owner.cookie,
    things: {
      package_id: String(of.id),
      player_id: playerId,
      transaction_id: `given-${playerId}`,
      round_id: roundId,
      game_id: 'a',
      session_id: String(launched.session_id),
      pair_id: String(pairs.find((pair: { purpose: string }) => pair.purpose === 'callback').id),
      person_id: String(other.id),
      invitation_id: String(invited.id),
      webhook_id: String(endpoint.id),
      mail_id: await giveDeadLetter(given.db, BigInt(of.id)),
      connection_id: String(connection.id),
      id: String(sessions[0].id),
      token_id: String(made.admin_token?.id ?? made.id),
      password,
      ...(await makeNumbered(given, of, numbered)),
    },
  };
}

interface Holder {
  readonly headers: Record<string, string>;
  readonly cookie: string;
  readonly administrator: string;
  readonly token: string;
}

export async function openWalletTarget(env: Record<string, string> = {}): Promise<Target> {
  const provider = await givenProvider();
  const given = await givenWallet({
    AUTH_FAILURES_PER_MINUTE: '0',
    ...mailEnvironment,
    ...provider.env,
    ...env,
  });
  const origin = given.config.publicUrl;
  const signInDeps = createWalletSignIn(given.db, given.config, () => given.clock.now);
  const enrol = () => signIn(signInDeps, [{ tenantId: 0n, role: 'administrator' }]);
  const keeper = await enrol();
  let administrator = await enrol();
  let token = (await giveProgram(given)).token;
  let own = await fillPackage(given, signInDeps, keeper.cookie);
  const foreign = await fillPackage(given, signInDeps, keeper.cookie, 100);
  const holders: Record<Exclude<Credentials, 'none'>, () => Holder> = {
    own: () => ({
      headers: own.of.headers,
      cookie: own.cookie,
      administrator: administrator.cookie,
      token,
    }),
    foreign: () => ({
      headers: foreign.of.headers,
      cookie: foreign.cookie,
      administrator: foreign.cookie,
      token: 'cfa_foreign',
    }),
    wrong: () => ({
      headers: { ...own.of.headers, 'x-api-secret': 'gps_wrong' },
      cookie: 'counterfoil_wallet=wrong',
      administrator: 'counterfoil_wallet=wrong',
      token: 'cfa_wrong',
    }),
    mixed: () => ({
      headers: { ...own.of.headers, 'x-uid': foreign.of.uid },
      cookie: 'counterfoil_licensing=x',
      administrator: own.cookie,
      token: own.cookie,
    }),
  };
  const headersOf = (operation: Operation, who: Holder): RequestHeaders => {
    if (operation.security.includes('uid')) return who.headers;
    if (operation.security.includes('adminToken')) return { authorization: `Bearer ${who.token}` };
    if (!operation.security.includes('session')) {
      return operation.path.startsWith('/panel/') ? { origin } : {};
    }
    const isAdministrators = operation.path.startsWith('/panel/admin/');
    return { origin, cookie: isAdministrators ? who.administrator : who.cookie };
  };
  return openTarget({
    name: 'wallet',
    given,
    own: () => own.things,
    foreign: foreign.things,
    holders,
    headersOf,
    // These tables may change without an accepted request: the service writes logs, proofs, times of last use
    // and the catalogue's copy by itself.
    logTables: [
      'callback_log',
      'transfer_log',
      'sign_in_failures',
      'audit_log',
      'catalogue_copies',
      'ledger_proofs',
      'proofs_under_way',
      'package_key_uses',
    ],
    signIn: signInDeps,
    listSecrets: () => [
      ["provider's token", provider.env.PROVIDER_API_TOKEN ?? ''],
      ['administrator token', token],
      ["administrator's session", administrator.cookie.split('=')[1] ?? ''],
      ['master key', given.masterKeyText],
      ["mail server's password", mailPassword],
      ['password', password],
      ...[own, foreign].flatMap(({ of, cookie }): [string, string][] => [
        ["caller's secret", of.caller.apiSecret],
        ["provider's secret", of.callback.apiSecret],
        ['AES key', of.aesKey],
        ['session', cookie.split('=')[1] ?? ''],
      ]),
    ],
    renew: async () => {
      administrator = await enrol();
      // Old tokens are deleted, because at most 100 admin tokens may exist.
      await given.db.query('delete from admin_tokens');
      token = (await giveProgram(given)).token;
      own = await fillPackage(given, signInDeps, administrator.cookie);
    },
    close: async () => {
      await given.close();
      await provider.close();
    },
  });
}
