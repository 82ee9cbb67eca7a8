// Extends the support of a purchase.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction } from '@counterfoil/ui/parts/action.tsx';
import { endOfDay, toDay } from '@counterfoil/ui/parts/moment.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';

const text = words.purchase;

export function SupportForm({ purchase }: { purchase: Purchase }) {
  const { base } = useTenant();
  // `typed` is undefined until the person types a date. Until then, the field shows the stored end of
  // support, even if the stored value changes.
  const [typed, setTyped] = useState<string>();
  const until = typed ?? toDay(purchase.supported_until);
  const action = useAction(
    () => post(`${base}/purchases/${purchase.id}/support`, { supported_until: endOfDay(until) }),
    { done: text.extended, quiet: true },
  );
  return (
    <Surface title={text.extend} text={text.extendText}>
      <ActionForm action={action}>
        <Group align="flex-end">
          <TextInput
            label={text.support}
            type="date"
            required
            value={until}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={action.isPending}>
            {text.extend}
          </Button>
        </Group>
      </ActionForm>
    </Surface>
  );
}
