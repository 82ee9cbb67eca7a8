// A wallet service that is attacked: two packages with everything in them, and a provider.
import { type Given, type GivenPackage, givenWallet } from '../../../wallet/server/test/given.ts';
import { giveProgram } from '../../../wallet/server/test/people.ts';
import { givenProvider } from '../../../wallet/server/test/provider.ts';
import type { Credentials } from './cases.ts';
import type { Operation } from './operations.ts';
import {
  listen,
  makePerson,
  password,
  signIn,
  type Target,
  type Things,
  unknownLike,
} from './target.ts';

interface FilledPackage {
  readonly of: GivenPackage;
  readonly cookie: string;
  readonly things: Things;
}

let counter = 0;

async function fillPackage(given: Given, administrator: string): Promise<FilledPackage> {
  const of = await given.package({ credit: '100000.00' });
  const number = ++counter;
  const playerId = await given.player(of, { playerId: `player-a${number}`, balance: '100.00' });
  const origin = given.config.publicUrl;
  const membership = { tenantId: BigInt(of.id), role: 'owner' } as const;
  const owner = await signIn({ app: given.app, db: given.db, origin }, [membership]);
  const other = await makePerson(given.db, [membership]);
  const ask = async (
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ) => {
    const answer = await given.app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`);
    return answer.json().data;
  };
  const signed = { origin, cookie: owner.cookie };
  const roundId = `round-a${number}`;
  const callback = { player_id: playerId, round_id: roundId, game_id: 'a' };
  const transactionId = `bet-a${number}`;
  const bet = { action: 'bet', type: 'bet', transaction_id: transactionId, amount: 1 };
  await ask('POST', '/api/v1/game/callback', of.headers, { ...callback, ...bet });
  const launched = await ask('POST', '/api/v1/game/launch', of.headers, {
    player_id: playerId,
    game_id: 'a',
  });
  const prefix = `/panel/packages/${of.id}`;
  const { key_pairs: pairs } = await ask('GET', `${prefix}/key-pairs`, signed);
  const email = 'invited@test.example';
  const invited = await ask('POST', `${prefix}/invitations`, signed, { email, role: 'member' });
  const { sessions } = await ask('GET', '/panel/sessions', signed);
  const asAdministrator = { origin, cookie: administrator };
  const made = await ask('POST', '/panel/admin/admin-tokens', asAdministrator, {
    name: `Spare ${number}`,
    password,
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
      id: String(sessions[0].id),
      token_id: String(made.admin_token?.id ?? made.id),
      password,
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
  const given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0', ...provider.env, ...env });
  const port = await listen(given.app);
  const origin = given.config.publicUrl;
  const enrol = () =>
    signIn({ app: given.app, db: given.db, origin }, [{ tenantId: 0n, role: 'administrator' }]);
  const keeper = await enrol();
  let administrator = await enrol();
  let token = (await giveProgram(given)).token;
  let own = await fillPackage(given, keeper.cookie);
  const foreign = await fillPackage(given, keeper.cookie);
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
  const lettersOf = (operation: Operation, who: Holder) => {
    if (operation.security.includes('uid')) return { headers: who.headers };
    if (operation.security.includes('adminToken')) {
      return { headers: { authorization: `Bearer ${who.token}` } };
    }
    if (!operation.security.includes('session')) {
      return { headers: operation.path.startsWith('/panel/') ? { origin } : {} };
    }
    const isAdministrators = operation.path.startsWith('/panel/admin/');
    return { headers: { origin, cookie: isAdministrators ? who.administrator : who.cookie } };
  };
  return {
    name: 'wallet',
    port,
    server: given.app.server,
    db: given.db,
    document: (await given.app.inject('/openapi.json')).json(),
    logLines: given.logLines,
    // Proofs and the catalogue's copy are written behind the answer that asked for them.
    notes: [
      'callback_log',
      'transfer_log',
      'sign_in_failures',
      'audit_log',
      'catalogue_copies',
      'ledger_proofs',
      'proofs_under_way',
    ],
    known: new Set(Object.keys(own.things)),
    tell: (name, whose) => {
      const mine = own.things[name] ?? '';
      if (whose === 'foreign') return foreign.things[name] ?? '';
      return whose === 'own' ? mine : unknownLike(mine);
    },
    listSecrets: () => [
      ['administrator token', token],
      ["administrator's session", administrator.cookie.split('=')[1] ?? ''],
      ['master key', given.masterKeyText],
      ['password', password],
      ...[own, foreign].flatMap(({ of, cookie }): [string, string][] => [
        ["caller's secret", of.caller.apiSecret],
        ["provider's secret", of.callback.apiSecret],
        ['AES key', of.aesKey],
        ['session', cookie.split('=')[1] ?? ''],
      ]),
    ],
    letters: (operation, who) =>
      who === 'none' ? { headers: {} } : lettersOf(operation, holders[who]()),
    renew: async () => {
      administrator = await enrol();
      // So many may be live, and no more.
      await given.db.query('delete from admin_tokens');
      token = (await giveProgram(given)).token;
      own = await fillPackage(given, administrator.cookie);
    },
    close: async () => {
      await given.close();
      await provider.close();
    },
  };
}
