// Records the hosts that this process connects to.
import { isIP, type LookupFunction, Socket } from 'node:net';

export interface Dials {
  readonly dialled: string[];
  /** Names that were looked up with a custom lookup function, whatever the result. */
  readonly namesAsked: string[];
  forget(): void;
  stop(): void;
}

interface Wanted {
  host?: string;
  port?: number;
  path?: string;
  lookup?: LookupFunction;
}

/** A name with a custom lookup is dialled only if that lookup succeeds. */
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
    forget: () => {
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
