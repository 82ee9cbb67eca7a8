// Records the hosts that this process connects to.
import { isIP, type LookupFunction, Socket } from 'node:net';

export interface Dials {
  readonly dialled: string[];
  /** Host names that were passed to a custom lookup function, whether or not they were resolved. */
  readonly namesAsked: string[];
  clear(): void;
  stop(): void;
}

interface Wanted {
  host?: string;
  port?: number;
  path?: string;
  lookup?: LookupFunction;
}

/**
 * Records a connection in `dialled`. If the connection has a custom lookup function for its host name,
 * records the name in `namesAsked`, and records the addresses in `dialled` only if the lookup succeeds.
 */
function watchDial({ dialled, namesAsked }: Dials, wanted: Wanted): void {
  const { host = '', port = '', path, lookup } = wanted;
  if (!lookup || isIP(host) !== 0) {
    dialled.push(`${path ?? host}:${port}`);
    return;
  }
  namesAsked.push(host);
  wanted.lookup = (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [{ address: found }] : (found ?? []);
      if (!error) dialled.push(...addresses.map(({ address }) => `${address}:${port}`));
      done(error, found, family);
    });
}

export function watchDials(): Dials {
  const connect = Socket.prototype.connect;
  const dials: Dials = {
    dialled: [],
    namesAsked: [],
    clear: () => {
      dials.dialled.length = 0;
      dials.namesAsked.length = 0;
    },
    stop: () => {
      Socket.prototype.connect = connect;
    },
  };
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    const [first] = given.flat() as Wanted[];
    if (first) watchDial(dials, first);
    return Reflect.apply(connect, this, given);
  } as typeof connect;
  return dials;
}
