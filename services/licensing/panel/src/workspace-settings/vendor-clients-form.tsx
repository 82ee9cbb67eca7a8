// Selects the vendors, such as Envato, whose clients may call this service instead of the vendor's service.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Workspace } from '../wire.ts';

const text = words.workspaceSettings;
const vendors = [
  { id: 'envato', label: 'Envato', path: 'GET /v3/market/author/sale' },
  { id: 'gumroad', label: 'Gumroad', path: 'POST /vendors/{publishable_key}/v2/licenses/verify' },
  { id: 'lemon_squeezy', label: 'Lemon Squeezy', path: 'POST /vendors/{publishable_key}/v1/licenses/…' },
] as const;

export function VendorClientsForm({ workspace }: { workspace: Workspace }) {
  const { base, isOwner } = useTenant();
  const [chosen, setChosen] = useState(workspace.vendor_clients);
  const action = useAction(() => patch(base, { vendor_clients: chosen }), {
    done: words.saved,
    quiet: true,
  });
  return (
    <Surface title={text.vendors} text={text.vendorsText}>
      <ActionForm action={action} submit={isOwner && words.save}>
        {vendors.map(({ id, label, path }) => (
          <Switch
            key={id}
            label={label}
            description={path}
            checked={chosen.includes(id)}
            disabled={!isOwner}
            onChange={(event) => {
              const others = chosen.filter((each) => each !== id);
              setChosen(event.currentTarget.checked ? [...others, id] : others);
            }}
          />
        ))}
      </ActionForm>
    </Surface>
  );
}
