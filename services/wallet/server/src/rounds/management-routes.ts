// Routes that show a package's rounds: the list of rounds, the list of open rounds, and one round with its
// events.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute } from '../access-policy.ts';
import { nameRoundConnections } from '../connections/name-connections.ts';
import { fail } from '../errors.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { PlayerId } from '../players/player.ts';
import { getAccount, nameAccounts } from '../players/queries.ts';
import { NextCursor, PageQuery, parseLimit } from '../wire/paging.ts';
import { getRound, listOpenRounds, listRounds } from './queries.ts';
import { Age, parseAge, presentRound, presentRoundLine, RoundAnswer, RoundLine } from './round.ts';
import { RoundQuery, roundDescription } from './routes.ts';

type RoundManagementDeps = Pick<ManagementDeps, 'db' | 'now'>;

export function registerRoundManagement(app: App, policy: AccessPolicy, deps: RoundManagementDeps): void {
  registerList(app, policy, deps);
  registerOne(app, policy, deps);
}

function registerList(app: App, policy: AccessPolicy, deps: RoundManagementDeps): void {
  const { db, now } = deps;
  const description =
    'Lists all rounds, newest first, or with `state=open` the open ones, oldest first. `older_than` ' +
    'leaves out rounds that were opened more recently. A page may be shorter than its limit ' +
    'although another page follows.';
  const data = Type.Object({ rounds: Type.Array(RoundLine), next_cursor: NextCursor });
  const querystring = Type.Object({
    ...PageQuery,
    state: Type.Optional(Type.Enum(['open'])),
    older_than: Type.Optional(Age),
    player_id: Type.Optional(PlayerId),
  });
  const shown = { role: 'member', summary: "List a package's rounds", description, data } as const;
  app.get(`${policy.packagePath}/rounds`, packageRoute(policy, shown, { querystring }), async (request) => {
    const { packageId } = getHome(request);
    const { state, older_than: age, player_id: playerId, cursor } = request.query;
    const limit = parseLimit(request.query.limit);
    if (age !== undefined && state !== 'open') {
      throw fail('invalid_parameter', { errors: { older_than: ['needs state=open.'] } });
    }
    const owner = await getManagedPackage(db, packageId);
    const account = playerId === undefined ? undefined : await getAccount(db, packageId, playerId);
    const wanted = { packageId, account, cursor, limit };
    const openedBefore = age === undefined ? undefined : new Date(now().getTime() - parseAge(age));
    const page =
      state === 'open' ? await listOpenRounds(db, { ...wanted, openedBefore }) : await listRounds(db, wanted);
    const accounts = page.parts.map((part) => part.account);
    const players = await nameAccounts(db, packageId, accounts);
    const parts = await nameRoundConnections(db, packageId, page.parts);
    return answer(request, {
      rounds: parts.map((part) => presentRoundLine(part, players, owner)),
      next_cursor: page.nextCursor,
    });
  });
}

function registerOne(app: App, policy: AccessPolicy, { db }: RoundManagementDeps): void {
  const summary = 'Read the events of a round';
  const shown = { role: 'member', summary, description: roundDescription, data: RoundAnswer } as const;
  const route = packageRoute(policy, shown, { querystring: RoundQuery });
  app.get(`${policy.packagePath}/round`, route, async (request) => {
    const { packageId } = getHome(request);
    const { round_id: roundId, player_id: playerId, connection_id: connectionId } = request.query;
    const owner = await getManagedPackage(db, packageId);
    const account = playerId === undefined ? undefined : await getAccount(db, packageId, playerId);
    const round = await getRound(db, { packageId, roundId, connectionId, account });
    return answer(request, presentRound(round, owner));
  });
}
