// Sets the stored balance of the account.
import { put } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { formatPrice, readAmount, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Account } from '../wire.ts';

const text = words.workspaceSettings;

export function BalanceForm({ account }: { account: Account }) {
  const { base, isOwner } = useTenant();
  const { values, field } = useFields({ balance: writeAmount(account.balance) });
  const action = useAction(
    () => put(`${base}/account/balance`, { balance: Number(readAmount(values.balance)) }),
    { done: text.balanceSet, quiet: true },
  );
  return (
    <Surface title={text.balance} text={text.balanceText}>
      <ActionForm action={action}>
        <Text fz={22} fw={620}>
          {formatPrice(account.balance, account.currency)}
        </Text>
        {isOwner && (
          <Group align="flex-end">
            <TextInput
              label={`${text.amount} (${account.currency})`}
              inputMode="decimal"
              required
              {...field('balance', action.error)}
            />
            <Button type="submit" variant="default" loading={action.isPending}>
              {text.setBalance}
            </Button>
          </Group>
        )}
      </ActionForm>
    </Surface>
  );
}
