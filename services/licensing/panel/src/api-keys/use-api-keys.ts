// Queries of the workspace's API keys, including expired and revoked keys.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import type { ApiKey } from '../wire.ts';

/**
 * The interval at which the list is loaded again. The service stores the last use of a key with a delay of
 * about a second, so a shorter interval would show little more.
 */
const refreshMs = 5_000;

export function useApiKeys(options: { watch?: boolean } = {}) {
  const { id, base } = useTenant();
  return useGet<{ api_keys: ApiKey[] }>(['api-keys', id], `${base}/api-keys`, {
    query: { limit: 100 },
    ...(options.watch && { refetchInterval: refreshMs }),
  });
}

export function useKeyNames(): ReadonlyMap<number, string> {
  const { data } = useApiKeys();
  return new Map((data?.api_keys ?? []).map((key) => [key.id, key.name]));
}
