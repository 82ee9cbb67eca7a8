// Reads data of the service, and caches it.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { get, type Query } from './request.ts';

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> & {
  readonly query?: Query;
};

/**
 * Reads data. Every action of `useAction` refetches the data by default. An action with the option `refresh`
 * refetches the data only if `refresh` contains the first element of `queryKey`.
 */
export function useGet<Data>(
  queryKey: readonly unknown[],
  path: string,
  { query = {}, ...options }: Options<Data> = {},
) {
  return useQuery<Data>({ queryKey, queryFn: () => get<Data>(path, { query }), ...options });
}
