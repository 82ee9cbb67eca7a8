// Creates a pool without codes, with the terms of the purchases to come.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount } from '@counterfoil/ui/parts/amount.ts';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { ItemSelect } from '../items/item-names.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Pool } from '../wire.ts';

const text = words.pools;

export function NewPoolButton() {
  return (
    <DialogButton label={text.create} leftSection={<Plus size={16} aria-hidden />} dialog={{ size: 'lg' }}>
      {({ close }) => <NewPool close={close} />}
    </DialogButton>
  );
}

const blank = { item: '', name: '', license: 'Regular', price: '', months: '', threshold: '0' };

/** Returns only the fields that are filled in. The service has defaults for the other fields. */
const toBody = (values: typeof blank): object => ({
  item_id: values.item,
  name: values.name,
  license_type: values.license,
  low_stock_below: Number(values.threshold),
  ...(values.price !== '' && { price: readAmount(values.price) }),
  ...(values.months !== '' && { support_months: Number(values.months) }),
});

function NewPool({ close }: { close: () => void }) {
  const { base, to } = useTenant();
  const go = useGo();
  const { values, set, field } = useFields(blank);
  const action = useAction(() => post<{ pool: Pool }>(`${base}/pools`, toBody(values)), {
    done: text.created,
    quiet: true,
    onDone: ({ pool }) => go(to(paths.pool, { pool_id: pool.id })),
  });
  return (
    <ActionForm action={action} submit={text.create} onCancel={close}>
      <ItemSelect
        label={words.pages.item}
        required
        value={values.item}
        onChange={(item) => set('item', item)}
      />
      <TextInput
        label={text.name}
        description={text.nameText}
        required
        maxLength={100}
        {...field('name', action.error)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={words.purchases.license}
          allowDeselect={false}
          data={['Regular', 'Extended']}
          value={values.license}
          onChange={(license) => license && set('license', license)}
        />
        <TextInput
          label={text.price}
          placeholder={words.purchases.priceHint}
          inputMode="decimal"
          {...field('price', action.error)}
        />
        <TextInput
          label={text.months}
          placeholder={text.monthsHint}
          type="number"
          min={0}
          max={120}
          {...field('months', action.error, 'support_months')}
        />
        <TextInput
          label={text.threshold}
          type="number"
          min={0}
          max={100_000}
          required
          {...field('threshold', action.error, 'low_stock_below')}
        />
      </SimpleGrid>
    </ActionForm>
  );
}
