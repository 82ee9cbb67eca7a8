// Changes the name, overdraft limit and alert threshold of a package.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { SimpleGrid, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.admin;

export function TermsForm({ base, found }: { base: string; found: Package }) {
  const { currency } = found;
  const { values, field } = useFields({
    name: found.name,
    overdraft_limit: writeAmount(found.overdraft_limit, currency),
    alert_threshold: writeAmount(found.alert_threshold, currency),
  });
  const body = {
    name: values.name,
    overdraft_limit: readAmount(values.overdraft_limit),
    alert_threshold: readAmount(values.alert_threshold),
  };
  const action = useAction(() => patch(base, body), { done: text.saved, quiet: true });
  return (
    <Surface title={text.terms}>
      <ActionForm action={action} align="flex-start" submit={words.save}>
        <SimpleGrid cols={{ base: 1, sm: 3 }} w="100%">
          <TextInput label={text.name} required {...field('name', action.error)} />
          <TextInput
            label={`${text.overdraft} (${currency})`}
            inputMode="decimal"
            {...field('overdraft_limit', action.error)}
          />
          <TextInput
            label={`${text.threshold} (${currency})`}
            inputMode="decimal"
            {...field('alert_threshold', action.error)}
          />
        </SimpleGrid>
      </ActionForm>
    </Surface>
  );
}
