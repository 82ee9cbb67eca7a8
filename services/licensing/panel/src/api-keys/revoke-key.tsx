// Revokes a key permanently, after its name was typed.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import type { KeyDialogProps } from './edit-key.tsx';

export function RevokeDialog({ apiKey: key, ...dialog }: KeyDialogProps) {
  const { base } = useTenant();
  const action = useAction(() => post(`${base}/api-keys/${key.id}/revoke`), {
    done: words.keys.revoked,
    onDone: dialog.onClose,
  });
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={() => action.mutate()}
      title={words.keys.revokeTitle(key.name, key.hint)}
      text={words.keys.revokeText}
      action={words.keys.revoke}
      typed={key.name}
      waiting={action.isPending}
      danger
    />
  );
}

export function RevokeButton({ apiKey: key }: { apiKey: ApiKey }) {
  const { isOwner } = useTenant();
  const [opened, setOpened] = useState(false);
  if (!isOwner) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.keys.revoke}
      </Button>
      <RevokeDialog apiKey={key} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
