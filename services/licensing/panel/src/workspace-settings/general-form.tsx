// Changes the name of the workspace and its support settings.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Workspace } from '../wire.ts';

const text = words.workspaceSettings;

export function GeneralForm({ workspace }: { workspace: Workspace }) {
  const { base, isOwner } = useTenant();
  const { values, field } = useFields({ name: workspace.name, months: String(workspace.support_months) });
  const [support, setSupport] = useState(workspace.support_enabled);
  const action = useAction(
    () => patch(base, { name: values.name, support_enabled: support, support_months: Number(values.months) }),
    { done: words.saved, quiet: true },
  );
  return (
    <Surface title={text.general}>
      <ActionForm action={action} submit={isOwner && words.save}>
        <TextInput label={text.name} required readOnly={!isOwner} {...field('name', action.error)} />
        <Switch
          label={text.support}
          description={text.supportText}
          checked={support}
          disabled={!isOwner}
          onChange={(event) => setSupport(event.currentTarget.checked)}
        />
        <TextInput
          label={text.months}
          description={text.monthsText}
          type="number"
          min={0}
          max={120}
          required
          readOnly={!isOwner}
          {...field('months', action.error, 'support_months')}
        />
      </ActionForm>
    </Surface>
  );
}
