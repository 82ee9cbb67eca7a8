// Changes the name of a pool, and the number of free codes below which the owners get a mail.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Pool } from '../wire.ts';

const text = words.pools;

export function PoolForm({ pool }: { pool: Pool }) {
  const { base } = useTenant();
  const { values, field } = useFields({ name: pool.name, threshold: String(pool.low_stock_below) });
  const action = useAction(
    () => patch(`${base}/pools/${pool.id}`, { name: values.name, low_stock_below: Number(values.threshold) }),
    { done: words.saved, quiet: true },
  );
  return (
    <Surface title={text.settings}>
      <ActionForm action={action} submit={words.save} button={{ variant: 'default' }}>
        <TextInput label={text.name} required maxLength={100} {...field('name', action.error)} />
        <TextInput
          label={text.threshold}
          description={text.thresholdText}
          type="number"
          min={0}
          max={100_000}
          required
          {...field('threshold', action.error, 'low_stock_below')}
        />
      </ActionForm>
    </Surface>
  );
}
