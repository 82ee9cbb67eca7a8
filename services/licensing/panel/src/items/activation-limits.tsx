// The limits of activations: for one item, or the workspace's default.
import { put } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { ActivationLimits } from '../wire.ts';

const text = words.activationLimits;
const names = ['regular', 'extended', 'moves'] as const;

export function ActivationLimitsCard({ itemId }: { itemId?: number }) {
  const { id, base } = useTenant();
  const query = useGet<ActivationLimits>(
    ['activation-limits', id, itemId ?? 0],
    `${base}/activation-limits`,
    { query: { item_id: itemId } },
  );
  return (
    <Surface title={text.title} text={itemId === undefined ? text.textAll : text.textItem}>
      <QueryView query={query}>
        {(limits) => <Form limits={limits} {...(itemId !== undefined && { itemId })} />}
      </QueryView>
    </Surface>
  );
}

function Form({ limits, itemId }: { limits: ActivationLimits; itemId?: number }) {
  const { base } = useTenant();
  const start = (name: (typeof names)[number]) => String(limits.set[name] ?? '');
  const { values, field } = useFields({
    regular: start('regular'),
    extended: start('extended'),
    moves: start('moves'),
  });
  const action = useAction(
    () => {
      const given = names.filter((name) => values[name].trim() !== '');
      const set = Object.fromEntries(given.map((name) => [name, Number(values[name])]));
      return put(`${base}/activation-limits`, { ...set, ...(itemId !== undefined && { item_id: itemId }) });
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
            placeholder={String(limits.in_force[name])}
            {...field(name, action.error)}
          />
        ))}
      </Group>
    </ActionForm>
  );
}
