// The endpoints of a tenant, watched: what is pending or failing changes by itself.
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/request.ts';
import type { Webhooks } from './wire.ts';

export const refreshMs = 5_000;

export const useWebhooks = (path: string) =>
  useQuery({
    queryKey: ['webhooks', path],
    queryFn: () => get<Webhooks>(path),
    refetchInterval: refreshMs,
  });
