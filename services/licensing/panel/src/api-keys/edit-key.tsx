// Changes the name and the expiry of a key, and whether it is for old plug-ins. Scopes cannot be changed.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { FormDialog } from '@counterfoil/ui/parts/dialog.tsx';
import { endOfDay, toDay } from '@counterfoil/ui/parts/moment.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';

const text = words.keys;

export interface KeyDialogProps {
  readonly apiKey: ApiKey;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function EditDialog({ apiKey, ...dialog }: KeyDialogProps) {
  return (
    <FormDialog {...dialog} title={text.rename} centered>
      {({ close }) => <Edit apiKey={apiKey} onClose={close} />}
    </FormDialog>
  );
}

function Edit({ apiKey: key, onClose }: Omit<KeyDialogProps, 'opened'>) {
  const { base } = useTenant();
  const day = toDay(key.expires_at);
  const { values, field } = useFields({ name: key.name, expires: day });
  const [legacy, setLegacy] = useState(key.legacy_item);
  const action = useAction(
    () =>
      patch(`${base}/api-keys/${key.id}`, {
        name: values.name,
        legacy_item: legacy,
        // The expiry is sent only if its day changed, so that an unchanged expiry keeps its time of
        // day.
        ...(values.expires !== day && { expires_at: endOfDay(values.expires) ?? null }),
      }),
    { done: words.saved, quiet: true, onDone: onClose },
  );
  return (
    <ActionForm action={action} submit={words.save} onCancel={onClose}>
      <TextInput label={text.name} required data-autofocus {...field('name', action.error)} />
      <TextInput
        label={text.expiry}
        description={text.expiryHint}
        type="date"
        {...field('expires', action.error, 'expires_at')}
      />
      <Switch
        label={text.legacy}
        description={text.legacyText}
        checked={legacy}
        onChange={(event) => setLegacy(event.currentTarget.checked)}
      />
    </ActionForm>
  );
}
