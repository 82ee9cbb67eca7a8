// The operations that the suite measures, and the servers that serve them.
import type { ChildServer } from '../child-server.ts';
import type { LoadRequest } from '../load.ts';
import { writeCallbackScript } from '../wallet/callback-requests.ts';
import { namePlayer, type PackageDataset, playerCount } from '../wallet/dataset.ts';
import { freshIds, writeUpdateScript } from '../wallet/update-requests.ts';
import type { Contender } from './measure-contenders.ts';

export type Servers = Record<'echo' | 'wallet' | 'socketOff' | 'licensing', ChildServer>;

/** The data that the requests name. Each wallet process has a package of its own, which only it writes. */
export interface HotData {
  readonly wallet: PackageDataset;
  readonly socketOff: PackageDataset;
  readonly validations: readonly LoadRequest[];
  readonly licences: readonly LoadRequest[];
}

/**
 * The operations in the order in which they run. Operations that are compared with each other run one after
 * the other.
 */
export function listContenders(
  servers: Servers,
  { wallet: data, socketOff, validations, licences }: HotData,
) {
  const update = (server: ChildServer, { headers } = data, players: 'all' | 'one' = 'all'): Contender => ({
    server,
    rows: server === servers.echo ? undefined : { spare: 0 },
    send: (tag) => ({
      requests: [],
      script: writeUpdateScript({ url: server.url, headers, ids: [freshIds(tag)], players }),
    }),
  });
  const ask = (server: ChildServer, requests: readonly LoadRequest[]): Contender => ({
    server,
    rows: undefined,
    send: () => ({ requests }),
  });
  const { wallet, licensing } = servers;
  const { headers } = data;
  return {
    updateEcho: update(servers.echo),
    socketOff: update(servers.socketOff, socketOff),
    update: update(wallet),
    hotPlayer: update(wallet, data, 'one'),
    callbacks: {
      server: wallet,
      // A bet_win writes two rows, and a balance read writes none.
      rows: { spare: 8 },
      send: (tag) => ({ requests: [], script: writeCallbackScript({ url: wallet.url, headers, tag }) }),
    },
    balance: ask(wallet, readBalances(headers)),
    licence: ask(licensing, licences),
    validation: ask(licensing, validations),
    validationEcho: ask(servers.echo, validations),
  } as const satisfies Record<string, Contender>;
}

export type HotName = keyof ReturnType<typeof listContenders>;

const readBalances = (headers: Readonly<Record<string, string>>): LoadRequest[] =>
  Array.from({ length: playerCount }, (_, i) => ({
    method: 'GET',
    path: `/api/v1/user/balance?player_id=${namePlayer((i * 7919) % playerCount)}`,
    headers,
  }));
