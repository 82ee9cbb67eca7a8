// The terms of offline licences: for one item, or the workspace's default.
import { put } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, Select, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { LicenceTerms } from '../wire.ts';

const text = words.licenceTerms;
const names = ['valid_days', 'grace_days', 'term_months'] as const;

export function LicenceTermsCard({ itemId }: { itemId?: number }) {
  const { id, base } = useTenant();
  const query = useGet<LicenceTerms>(['licence-terms', id, itemId ?? 0], `${base}/licence-terms`, {
    query: { item_id: itemId },
  });
  return (
    <Surface title={text.title} text={itemId === undefined ? text.textAll : text.textItem}>
      <QueryView query={query}>
        {(terms) => <Form terms={terms} {...(itemId !== undefined && { itemId })} />}
      </QueryView>
    </Surface>
  );
}

function Form({ terms, itemId }: { terms: LicenceTerms; itemId?: number }) {
  const { base } = useTenant();
  const start = (name: (typeof names)[number]) => String(terms.set[name] ?? '');
  const { values, field, set } = useFields({
    valid_days: start('valid_days'),
    grace_days: start('grace_days'),
    term_months: start('term_months'),
    updates: terms.set.updates ?? '',
  });
  const action = useAction(
    () => {
      const given = names.filter((name) => values[name].trim() !== '');
      return put(`${base}/licence-terms`, {
        ...Object.fromEntries(given.map((name) => [name, Number(values[name])])),
        ...(values.updates !== '' && { updates: values.updates }),
        ...(itemId !== undefined && { item_id: itemId }),
      });
    },
    { done: words.saved, quiet: true },
  );
  return (
    <ActionForm action={action} submit={text.submit} button={{ variant: 'default' }}>
      <Group grow align="flex-end">
        {names.map((name) => (
          <TextInput
            key={name}
            label={text[name]}
            type="number"
            min={0}
            placeholder={String(terms.in_force[name])}
            {...field(name, action.error)}
          />
        ))}
        <Select
          label={text.updates}
          clearable
          placeholder={text.windows[terms.in_force.updates]}
          data={Object.entries(text.windows).map(([value, label]) => ({ value, label }))}
          value={values.updates || null}
          onChange={(updates) => set('updates', updates ?? '')}
        />
      </Group>
    </ActionForm>
  );
}
