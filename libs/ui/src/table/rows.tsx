// A table. On narrow screens, each row is shown as a card.
import { Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Hint } from '../parts/page.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  readonly align?: 'right';
  /**
   * If true, this is a column of buttons: it is aligned to the right, and its title is only for screen
   * readers.
   */
  readonly quiet?: boolean;
}

const alignOf = ({ quiet, align }: Pick<Column<never>, 'quiet' | 'align'>) => (quiet ? 'right' : align);

interface RowsProps<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly onOpen?: (row: Row) => void;
  readonly waiting?: boolean;
  /** Shown instead of the table if there are no rows. */
  readonly empty?: ReactNode;
}

const isOwnTarget = (target: EventTarget) =>
  (target as Element).closest('a, button, input, select, textarea, [role="menu"]') !== null;

/**
 * Sets the role of an element explicitly, because table elements with `display: block` lose their own roles.
 */
const as = (role: string) => ({ role });

export function Rows<Row>(props: RowsProps<Row>) {
  const { columns, onOpen, empty } = props;
  if (props.rows.length === 0 && empty !== undefined) return empty;
  return (
    <div className="cf-table-scroll">
      <table
        className="cf-table"
        {...as('table')}
        aria-label={props.label}
        {...(props.waiting && { 'data-waiting': true, 'aria-busy': true })}
      >
        <thead {...as('rowgroup')}>
          <tr {...as('row')}>
            {columns.map((column) => (
              <th key={column.title} {...as('columnheader')} scope="col" data-align={alignOf(column)}>
                {column.quiet ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as('rowgroup')}>
          {props.rows.map((row) => (
            <tr
              key={props.rowKey(row)}
              {...as('row')}
              {...(onOpen && {
                'data-opens': true,
                onClick: (event) => {
                  if (!isOwnTarget(event.target)) onOpen(row);
                },
              })}
            >
              {columns.map((column) => (
                <td
                  key={column.title}
                  {...as('cell')}
                  data-align={alignOf(column)}
                  data-label={column.quiet ? '' : column.title}
                >
                  {/* Exactly one child: on narrow screens the cell is a grid of label and content. */}
                  <div>{column.render(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows a value in a cell, with a smaller line below it. A value that is only text is emphasised. */
export function Noted(props: {
  readonly note: ReactNode;
  /** Whether the note is an identifier, which is shown in a monospaced font. */
  readonly mono?: boolean;
  readonly maw?: number;
  readonly children: ReactNode;
}) {
  const { note, mono, maw, children } = props;
  const isText = typeof children === 'string';
  return (
    <Stack gap={0} align="flex-start" {...(maw !== undefined && { maw })}>
      {isText ? (
        <Text size="sm" fw={550} className="cf-break">
          {children}
        </Text>
      ) : (
        children
      )}
      {note && <Hint className={mono ? 'cf-mono cf-break' : 'cf-break'}>{note}</Hint>}
    </Stack>
  );
}
