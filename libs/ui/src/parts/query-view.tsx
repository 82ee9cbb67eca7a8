// What a query brought, or why it has not: one way to show waiting and failing everywhere.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, PageLoading } from './states.tsx';

export function QueryView<Data>(props: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const { query, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <PageLoading />;
}
