// Changes the name of the workspace, its support settings and the mail to buyers.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Workspace } from '../wire.ts';

const text = words.workspaceSettings;

export function GeneralForm({ workspace }: { workspace: Workspace }) {
  const { base, isOwner } = useTenant();
  const { values, set, field } = useFields({
    name: workspace.name,
    months: String(workspace.support_months),
    mail: workspace.buyer_support_mail as string,
  });
  const [support, setSupport] = useState(workspace.support_enabled);
  const action = useAction(
    () =>
      patch(base, {
        name: values.name,
        support_enabled: support,
        support_months: Number(values.months),
        buyer_support_mail: values.mail,
      }),
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
        <NativeSelect
          label={text.mail}
          description={text.mailText}
          disabled={!isOwner}
          data={[
            { value: 'off', label: text.mailOff },
            { value: 'en', label: text.mailEnglish },
            { value: 'de', label: text.mailGerman },
          ]}
          value={values.mail}
          onChange={(event) => set('mail', event.currentTarget.value)}
        />
      </ActionForm>
    </Surface>
  );
}
