// Corrects the name and the e-mail of a purchase's buyer.
import { patch } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { SimpleGrid, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';

const text = words.purchase;

export function BuyerForm({ purchase }: { purchase: Purchase }) {
  const { base } = useTenant();
  const { values, field } = useFields({ ...purchase.buyer });
  const action = useAction(() => patch(`${base}/purchases/${purchase.id}`, { buyer: values }), {
    done: text.corrected,
    quiet: true,
  });
  return (
    <Surface title={text.correct} text={text.correctText}>
      <ActionForm action={action} submit={text.correct} button={{ variant: 'default' }}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={words.purchases.buyerName}
            maxLength={200}
            {...field('name', action.error, 'buyer.name')}
          />
          <TextInput
            label={words.purchases.buyer}
            type="email"
            {...field('email', action.error, 'buyer.email')}
          />
        </SimpleGrid>
      </ActionForm>
    </Surface>
  );
}
