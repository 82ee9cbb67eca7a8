// The provider connections of a package: their dialect, state and address.
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Badge, Button, Text } from '@mantine/core';
import { Cable, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CallbackUrl } from '../parts/callback-url.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { kindNames, kindOf, useConnections } from './connection.ts';
import { AddDialog } from './connection-form.tsx';
import { SourceState } from './source-health.tsx';

const text = words.providers;

export default function Providers() {
  const { isOwner } = useTenant();
  const { query } = useConnections();
  // The button of the page and the button of the empty list open the same dialog. The dialog is not part of
  // the list. When the first connection is added, the button of the empty list disappears, but the dialog
  // still shows the credentials.
  const [isAdding, setAdding] = useState(false);
  const add = isOwner && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.pages.providers} text={text.text} actions={add} />
      <QueryView query={query}>
        {({ connections }) => (
          <Surface title={text.list} flush>
            <Connections
              connections={connections}
              empty={<Empty title={text.none} text={text.noneText} icon={Cable} action={add} />}
            />
          </Surface>
        )}
      </QueryView>
      <AddDialog opened={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

function Connections(props: { connections: readonly Connection[]; empty: ReactNode }) {
  const { to } = useTenant();
  return (
    <Rows
      label={text.list}
      empty={props.empty}
      rows={props.connections}
      rowKey={({ id }) => id}
      columns={[
        {
          title: text.name,
          render: (each) => (
            <Noted note={<Protocol connection={each} />}>
              <PanelLink to={to(paths.provider, { connection_id: each.id })} className="cf-break" fw={550}>
                {each.name}
              </PanelLink>
            </Noted>
          ),
        },
        { title: text.state, render: (each) => <StateBadge connection={each} /> },
        { title: words.pages.games, render: (each) => <SourceState connection={each} /> },
        { title: text.url, render: ({ url }) => <CallbackUrl url={url} /> },
      ]}
    />
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
