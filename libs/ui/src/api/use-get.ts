// Reads data of the service, and caches it.
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { get, type Query } from './request.ts';

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> & {
  readonly query?: Query;
};

/** Reads data. Actions name the first element of the query key to refetch the data. */
export function useGet<Data>(
  queryKey: readonly unknown[],
  path: string,
  { query = {}, ...options }: Options<Data> = {},
) {
  return useQuery<Data>({ queryKey, queryFn: () => get<Data>(path, { query }), ...options });
}
