// The table of a package's connections, for its members and for administrators.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallbackUrl } from '../parts/callback-url.tsx';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { kindNames, kindOf } from './connection.ts';
import { SourceState } from './source-health.tsx';

const text = words.providers;

interface TableProps {
  readonly connections: readonly Connection[];
  /** The API path of the package: the path for members or the path for administrators. */
  readonly base: string;
  readonly empty: ReactNode;
  /** Returns the address of the page of a connection. Without it, the names are not links. */
  readonly pageOf?: (connection: Connection) => string;
}

export function ConnectionTable({ connections, base, empty, pageOf }: TableProps) {
  return (
    <Rows
      label={text.list}
      empty={empty}
      rows={connections}
      rowKey={({ id }) => id}
      columns={[
        {
          title: text.name,
          render: (each) => (
            <Noted note={<Protocol connection={each} />}>
              <Name connection={each} page={pageOf?.(each)} />
            </Noted>
          ),
        },
        { title: text.state, render: (each) => <StateBadge connection={each} /> },
        { title: words.pages.games, render: (each) => <SourceState connection={each} base={base} /> },
        { title: text.url, render: ({ url }) => <CallbackUrl url={url} /> },
      ]}
    />
  );
}

function Name({ connection: { name }, page }: { connection: Connection; page: string | undefined }) {
  const style = { className: 'cf-break', fw: 550 };
  if (page === undefined) {
    return (
      <Text inherit {...style}>
        {name}
      </Text>
    );
  }
  return (
    <PanelLink to={page} {...style}>
      {name}
    </PanelLink>
  );
}

const Protocol = ({ connection }: { connection: Connection }) => (
  <Text inherit span style={{ whiteSpace: 'nowrap' }}>
    {kindNames[kindOf(connection)]}
  </Text>
);

export function StateBadge({ connection: { state } }: { connection: Connection }) {
  return <Badge color={state === 'active' ? 'pine' : 'amber'}>{text.states[state]}</Badge>;
}
