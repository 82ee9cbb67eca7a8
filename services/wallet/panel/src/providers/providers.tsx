// The provider connections of a package: their dialect, state and address.
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button } from '@mantine/core';
import { Cable, Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import { useConnections } from './connection.ts';
import { AddDialog } from './connection-form.tsx';
import { ConnectionTable } from './connection-table.tsx';

const text = words.providers;

export default function Providers() {
  const { isOwner, base, to } = useTenant();
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
            <ConnectionTable
              connections={connections}
              base={base}
              pageOf={({ id }) => to(paths.provider, { connection_id: id })}
              empty={<Empty title={text.none} text={text.noneText} icon={Cable} action={add} />}
            />
          </Surface>
        )}
      </QueryView>
      <AddDialog opened={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
