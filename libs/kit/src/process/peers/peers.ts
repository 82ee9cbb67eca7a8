// The processes of a service on one machine, and the one of them that is responsible for a key.
import { choosePeer } from './choose-peer.ts';
import { createPeer, type Peer, type PeerLimits } from './peer.ts';
import { socketPathOf } from './peer-messages.ts';
import { servePeers } from './serve-peers.ts';

export interface Peers<Request, Reply> {
  /** Finds the other process that is responsible for this key; undefined if it is this process. */
  find(key: number): Peer<Request, Reply> | undefined;
  /** The number of other processes that take requests. */
  countOpen(): number;
  /** Resolves when no request waits for a reply. */
  drain(): Promise<void>;
  /** Asks the other processes for no further requests. */
  leave(): void;
  /** Resolves when the requests of the other processes are answered. Then closes all connections. */
  close(): Promise<void>;
}

export interface PeersOptions<Request, Reply> extends PeerLimits {
  /** The folder of the sockets. Only the user of the service may open it. */
  readonly folder: string;
  /** The number of this process, from 1 to `count`. */
  readonly number: number;
  readonly count: number;
  /** `ageMs` is the time since the request was sent. The promise must not reject. */
  readonly handle: (request: Request, ageMs: number) => Promise<Reply>;
  readonly closeWithinMs: number;
}

/** The choices of this many keys are cached. A cache of this size is cleared. */
const maxChoices = 10_000;

/** Connects this process to the others, and serves their requests. */
export async function openPeers<Request, Reply>(
  options: PeersOptions<Request, Reply>,
): Promise<Peers<Request, Reply>> {
  const { folder, number: own, count, handle, ...limits } = options;
  const choices = new Map<number, Peer<Request, Reply> | undefined>();
  const service = await servePeers({ path: socketPathOf(folder, own), handle });
  const others = Array.from({ length: count }, (_, i) => i + 1).filter((number) => number !== own);
  const onChange = () => choices.clear();
  const peers = new Map(
    others.map((number) => {
      const path = socketPathOf(folder, number);
      return [number, createPeer<Request, Reply>({ ...limits, path, onChange })];
    }),
  );
  const listOpen = () => others.filter((number) => peers.get(number)?.isOpen());
  const choose = (key: number) => {
    const choice = peers.get(choosePeer(key, [own, ...listOpen()]));
    if (choices.size >= maxChoices) choices.clear();
    choices.set(key, choice);
    return choice;
  };
  return {
    find: (key) => (choices.has(key) ? choices.get(key) : choose(key)),
    countOpen: () => listOpen().length,
    drain: async () => {
      await Promise.all([...peers.values()].map((peer) => peer.drain()));
    },
    leave: service.leave,
    close: async () => {
      await service.close(options.closeWithinMs);
      for (const peer of peers.values()) peer.close();
    },
  };
}
