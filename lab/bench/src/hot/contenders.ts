// The operations that the suite measures, and the servers that serve them.
import type { ChildServer } from '../child-server.ts';
import type { LoadRequest } from '../load.ts';
import { writeCallbackScript } from '../wallet/callback-requests.ts';
import { namePlayer, type PackageDataset, playerCount } from '../wallet/dataset.ts';
import { freshIds, writeUpdateScript } from '../wallet/update-requests.ts';
import type { Contender } from './measure-contenders.ts';

export type Servers = Record<'echo' | 'wallet' | 'socketOn' | 'socketOff' | 'licensing', ChildServer>;

/**
 * The operations in the order in which they run. Operations that are compared with each other run one after
 * the other.
 */
export function listContenders(
  servers: Servers,
  { headers }: PackageDataset,
  validations: readonly LoadRequest[],
) {
  const update = (server: ChildServer, players: 'all' | 'one' = 'all'): Contender => ({
    server,
    rows: server === servers.echo ? undefined : { spare: 0 },
    send: (tag) => ({
      requests: [],
      script: writeUpdateScript({ url: server.url, headers, ids: [freshIds(tag)], players }),
    }),
  });
  const { wallet } = servers;
  return {
    updateEcho: update(servers.echo),
    socketOff: update(servers.socketOff),
    socketOn: update(servers.socketOn),
    update: update(wallet),
    hotPlayer: update(wallet, 'one'),
    callbacks: {
      server: wallet,
      // A bet_win writes two rows, and a balance read writes none.
      rows: { spare: 8 },
      send: (tag) => ({ requests: [], script: writeCallbackScript({ url: wallet.url, headers, tag }) }),
    },
    balance: { server: wallet, rows: undefined, send: () => ({ requests: readBalances(headers) }) },
    validation: {
      server: servers.licensing,
      rows: undefined,
      send: () => ({ requests: validations }),
    },
    validationEcho: {
      server: servers.echo,
      rows: undefined,
      send: () => ({ requests: validations }),
    },
  } as const satisfies Record<string, Contender>;
}

export type HotName = keyof ReturnType<typeof listContenders>;

const readBalances = (headers: Readonly<Record<string, string>>): LoadRequest[] =>
  Array.from({ length: playerCount }, (_, i) => ({
    method: 'GET',
    path: `/api/v1/user/balance?player_id=${namePlayer((i * 7919) % playerCount)}`,
    headers,
  }));
