// A table whose pages come from the service. The next page is fetched in advance.
import { Box, Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { get, type Query } from '../api/request.ts';
import { useGo } from '../parts/links.tsx';
import { Empty, Failed, Hint, PageHeader, PageLoading, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { useFilters } from './filters.tsx';
import { type Column, Rows } from './rows.tsx';

interface CursorTableProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The query key of the list. The filters in the address are appended to it. */
  readonly queryKey: readonly (string | number)[];
  /** The path of the list in the service. */
  readonly path: string;
  /** The field of the response that has the rows. */
  readonly field: string;
  /** The query parameters. `limit` is 50 by default. */
  readonly query?: Query;
  readonly rowKey: (row: Row) => string | number;
  /**
   * Returns the address of the page that a click on the row opens. For keyboard users, the first column
   * should link to it too.
   */
  readonly rowTo?: (row: Row) => string;
  /** Parameters of the address that are not filters. Clearing the filters does not remove them. */
  readonly fixed?: readonly string[];
  /** The refetch interval, for lists that grow while the page is open. */
  readonly refreshMs?: number;
  /** Shown if the list is empty and no filter is set. */
  readonly empty: ReactNode;
}

export function CursorTable<Row>(props: CursorTableProps<Row>) {
  const { filters, set, openPage } = useFilters();
  const go = useGo();
  const client = useQueryClient();
  const { cursor, ...rest } = filters;
  const ownNames = Object.keys(rest).filter((name) => rest[name] && !props.fixed?.includes(name));
  const isFiltered = ownNames.length > 0;
  const clear = () => set(Object.fromEntries(ownNames.map((name) => [name, undefined])));
  const optionsOf = (at: string | undefined) => ({
    queryKey: [...props.queryKey, rest, at ?? ''],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const asked = { limit: 50, cursor: at, ...props.query };
      const data = await get<Readonly<Record<string, unknown>>>(props.path, { query: asked, signal });
      // The cursor is missing or null on the last page.
      const nextCursor = (data.next_cursor ?? undefined) as string | undefined;
      return { rows: data[props.field] as readonly Row[], nextCursor };
    },
  });
  const query = useQuery({
    ...optionsOf(cursor),
    placeholderData: keepPreviousData,
    refetchInterval: props.refreshMs ?? false,
  });
  const next = query.isPlaceholderData ? undefined : query.data?.nextCursor;
  useEffect(() => {
    if (next !== undefined) void client.prefetchQuery(optionsOf(next));
  });
  // Maps the cursor of each page to the cursor of the previous page. A stack of cursors would be wrong after
  // the person has used the browser's back button.
  const pageBefore = useRef(new Map<string, string | undefined>());
  if (query.isError && !query.data)
    return (
      <Box p="md">
        <Failed error={query.error} onRetry={() => void query.refetch()} />
      </Box>
    );
  if (!query.data) return <PageLoading />;
  const { rows, nextCursor } = query.data;
  // For each page, the service searches only a limited number of rows. So a page can be empty although more
  // pages follow.
  const isCut = nextCursor !== undefined;
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
        onPrevious={() => openPage(pageBefore.current.get(cursor ?? ''))}
        {...(next !== undefined && {
          onNext: () => {
            pageBefore.current.set(next, cursor);
            openPage(next);
          },
        })}
      />
    </>
  );
}

interface TablePageProps<Row> extends CursorTableProps<Row> {
  readonly text: string;
  readonly actions?: ReactNode;
  /** The filters above the table. */
  readonly children?: ReactNode;
}

/** A page that consists of one table. The label of the table is the title of the page. */
export function TablePage<Row>({ text, actions, children, ...table }: TablePageProps<Row>) {
  return (
    <>
      <PageHeader title={table.label} text={text} actions={actions} />
      <Surface flush>
        {children && (
          <Group p="sm" gap="sm" align="flex-start">
            {children}
          </Group>
        )}
        <CursorTable {...table} />
      </Surface>
    </>
  );
}

/**
 * The buttons for the previous and the next page. After a reload the previous pages are unknown, so Previous
 * leads to the first page.
 */
function Pager(props: {
  shown: number;
  isFirst: boolean;
  /** Whether the list has only one page. If true, the buttons are hidden. */
  isOnly: boolean;
  onPrevious: () => void;
  onNext?: () => void;
}) {
  return (
    <Group justify="space-between" px="md" py="sm" component="nav" aria-label={words.table.pages}>
      <Hint role="status">{words.table.count(props.shown)}</Hint>
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
