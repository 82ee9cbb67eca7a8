// Reads data of the service, and caches it.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { get, type Query } from './request.ts';

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> & {
  readonly query?: Query;
};

/**
 * Reads data. An action refetches the data, unless the action has a `refresh` option that lacks the first
 * element of `queryKey`.
 */
export function useGet<Data>(
  queryKey: readonly unknown[],
  path: string,
  { query = {}, ...options }: Options<Data> = {},
) {
  return useQuery<Data>({ queryKey, queryFn: () => get<Data>(path, { query }), ...options });
}
