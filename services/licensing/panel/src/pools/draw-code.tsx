// Hands out the next free code of a pool, and shows the code.
import { makeRandomHex, post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { Issued } from '../purchases/issue-purchase.tsx';
import { words } from '../strings.ts';
import type { Pool, Purchase } from '../wire.ts';

const text = words.pools;

export function DrawButton({ pool }: { pool: Pool }) {
  return (
    <DialogButton label={text.draw} disabled={pool.free === 0}>
      {(controls) => <Draw pool={pool} {...controls} />}
    </DialogButton>
  );
}

function Draw({ pool, close, show }: DialogControls & { pool: Pool }) {
  const { base } = useTenant();
  const { values, field } = useFields({ name: '', email: '' });
  // The Idempotency-Key changes only if the content of the form changes. So a second try after a broken
  // connection hands out no second code.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values decide when the key changes
  const idempotencyKey = useMemo(() => makeRandomHex(16), [values]);
  const action = useAction(
    () => {
      const buyer = {
        ...(values.name !== '' && { name: values.name }),
        ...(values.email !== '' && { email: values.email }),
      };
      const headers = { 'idempotency-key': idempotencyKey };
      return post<{ purchase: Purchase }>(`${base}/pools/${pool.id}/draw`, { buyer }, { headers });
    },
    { quiet: true, onDone: ({ purchase }) => show(<Issued purchase={purchase} />) },
  );
  return (
    <ActionForm action={action} submit={text.draw} onCancel={close}>
      <Text size="sm">{text.drawText}</Text>
      <TextInput label={words.purchases.buyerName} {...field('name', action.error, 'buyer.name')} />
      <TextInput
        label={words.purchases.buyer}
        type="email"
        {...field('email', action.error, 'buyer.email')}
      />
    </ActionForm>
  );
}
