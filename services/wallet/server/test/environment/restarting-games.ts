// Resets the catalogue and the provider connections of a service, as a restart would.
import { expect } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { type CatalogueCache, createCatalogueCache } from '../../src/games/catalogue-cache.ts';
import { createHttpUpstream } from '../../src/upstream/http-upstream.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import type { UpstreamSettings } from '../../src/upstream/upstream-settings.ts';

interface Memory {
  readonly limits: UpstreamSettings;
  readonly upstream: Upstream;
  readonly catalogue: CatalogueCache;
}

interface RestartingGames {
  /**
   * An argument for `givenWallet`. With this argument, the service uses the catalogue and the connections
   * that `restart` replaces.
   */
  readonly deps: (deps: WalletDeps) => WalletDeps;
  /**
   * Resets the catalogue, the breakers and the connections to the provider, as a restart would. `changed`
   * replaces settings.
   */
  restart(changed?: Partial<UpstreamSettings>): Promise<void>;
  close(): Promise<void>;
}

export function createRestartingGames(): RestartingGames {
  let begin: ((changed: Partial<UpstreamSettings>) => Memory) | undefined;
  let memory: Memory | undefined;
  const getMemory = (): Memory => {
    if (!memory) throw new Error('the service was not built yet');
    return memory;
  };
  const close = async () => {
    await memory?.catalogue.close();
    await memory?.upstream.close();
  };
  return {
    deps: (deps) => {
      const { config, db, logger, now = () => new Date() } = deps;
      begin = (changed) => {
        const limits = { ...config.upstream, ...changed };
        const upstream = createHttpUpstream(limits, now);
        const maxAgeMs = config.catalogueMaxAgeMs;
        const catalogue = createCatalogueCache({ db, upstream, logger, now, maxAgeMs });
        return { limits, upstream, catalogue };
      };
      memory = begin({});
      return {
        ...deps,
        config: { ...config, upstream: delegate(() => getMemory().limits) },
        upstream: delegate(() => getMemory().upstream),
        catalogue: delegate(() => getMemory().catalogue),
      };
    },
    restart: async (changed = {}) => {
      await close();
      memory = begin?.(changed);
    },
    close,
  };
}

/** An object that forwards every property to the object that `find` returns at the time of the access. */
const delegate = <T extends object>(find: () => T): T =>
  new Proxy({} as T, { get: (_, name) => Reflect.get(find(), name) });

/**
 * Calls `attempt` until it returns exactly the expected calls, each time with twice the previous deadline. A
 * short deadline may pass before a call reaches the provider. `attempt` returns the calls that the provider
 * has received. Errors of `attempt` are not caught.
 */
export async function untilReceived(
  expected: readonly string[],
  attempt: (deadlineMs: number) => Promise<readonly string[]>,
): Promise<void> {
  let received: readonly string[] = [];
  for (let deadlineMs = 100; deadlineMs < 60_000; deadlineMs *= 2) {
    received = await attempt(deadlineMs);
    if (received.join() === expected.join()) return;
  }
  expect(received).toEqual(expected);
}
