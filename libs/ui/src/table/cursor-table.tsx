// A table that the service pages: one page at a time, the next one fetched while this one is read.
import { Box, Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useGo } from '../parts/links.tsx';
import { Empty, Failed, PageLoading } from '../parts/states.tsx';
import { words } from '../strings.ts';
import { useFilters } from './filters.tsx';
import { type Column, Rows } from './rows.tsx';

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  /** Nothing on the last page, however the service says so. */
  readonly next_cursor?: string | null | undefined;
}

export interface CursorTableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Names the list among all queries; the filters of the address are added. */
  readonly queryKey: readonly (string | number)[];
  readonly load: (ask: {
    cursor: string | undefined;
    signal: AbortSignal;
  }) => Promise<CursorPage<Row>>;
  readonly rowKey: (row: Row) => string | number;
  /** The page of a row; its first column should link there too, for keyboards. */
  readonly rowTo?: (row: Row) => string;
  /** Parts of the address that say what the list is of: clearing the filters leaves them. */
  readonly fixed?: readonly string[];
  /** Where rows come by themselves: how often to look. */
  readonly refreshMs?: number;
  /** Shown where there is nothing at all, not even without filters. */
  readonly empty: ReactNode;
}

export function CursorTable<Row>(props: CursorTableProps<Row>) {
  const { filters, set } = useFilters();
  const go = useGo();
  const client = useQueryClient();
  const { cursor, ...rest } = filters;
  const ownNames = Object.keys(rest).filter((name) => rest[name] && !props.fixed?.includes(name));
  const isFiltered = ownNames.length > 0;
  const clear = () => set(Object.fromEntries(ownNames.map((name) => [name, undefined])));
  const optionsOf = (at: string | undefined) => ({
    queryKey: [...props.queryKey, rest, at ?? ''],
    queryFn: ({ signal }: { signal: AbortSignal }) => props.load({ cursor: at, signal }),
  });
  const query = useQuery({
    ...optionsOf(cursor),
    placeholderData: keepPreviousData,
    refetchInterval: props.refreshMs ?? false,
  });
  const next = query.isPlaceholderData ? undefined : (query.data?.next_cursor ?? undefined);
  useEffect(() => {
    if (next !== undefined) void client.prefetchQuery(optionsOf(next));
  });
  // By the page, not in the order of clicks: the browser's own back button turns pages too.
  const pageBefore = useRef(new Map<string, string | undefined>());
  if (query.isError && !query.data)
    return (
      <Box p="md">
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </Box>
    );
  if (!query.data) return <PageLoading />;
  const { rows, next_cursor: after } = query.data;
  // The service looks at a limited number of rows for one page.
  const isCut = after !== null && after !== undefined;
  if (rows.length === 0 && !isFiltered && cursor === undefined) return props.empty;
  return (
    <>
      {rows.length === 0 ? (
        <Empty
          title={isCut ? words.table.noMatchYet : words.table.noMatch}
          text={isCut ? words.table.noMatchYetText : words.table.noMatchText}
          action={
            <Button variant="default" size="xs" onClick={clear}>
              {words.table.clear}
            </Button>
          }
        />
      ) : (
        <Rows
          label={props.label}
          columns={props.columns}
          rows={rows}
          rowKey={props.rowKey}
          waiting={query.isPlaceholderData}
          {...(props.rowTo && { onOpen: (row: Row) => go(props.rowTo?.(row) ?? '/') })}
        />
      )}
      <Pager
        shown={rows.length}
        isFirst={cursor === undefined}
        isOnly={cursor === undefined && !isCut}
        onPrevious={() => set({ cursor: pageBefore.current.get(cursor ?? '') })}
        {...(next !== undefined && {
          onNext: () => {
            pageBefore.current.set(next, cursor);
            set({ cursor: next });
          },
        })}
      />
    </>
  );
}

/** After a reload the pages before are not known: then the way back is the first one. */
function Pager(props: {
  shown: number;
  isFirst: boolean;
  /** All that there is: no buttons that lead nowhere. */
  isOnly: boolean;
  onPrevious: () => void;
  onNext?: () => void;
}) {
  return (
    <Group justify="space-between" px="md" py="sm" component="nav" aria-label={words.table.pages}>
      <Text size="xs" c="dimmed" role="status">
        {words.table.count(props.shown)}
      </Text>
      <Group gap="xs" {...(props.isOnly && { display: 'none' })}>
        <Button
          size="xs"
          variant="default"
          disabled={props.isFirst}
          onClick={props.onPrevious}
          leftSection={<ChevronLeft size={14} aria-hidden />}
        >
          {words.table.previous}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={!props.onNext}
          onClick={props.onNext}
          rightSection={<ChevronRight size={14} aria-hidden />}
        >
          {words.table.next}
        </Button>
      </Group>
    </Group>
  );
}
