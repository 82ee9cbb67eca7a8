// The account's stored balance.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { put } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { readAmount, tellPrice, writeAmount } from '@counterfoil/ui/parts/amount.ts';
import { Surface } from '@counterfoil/ui/parts/layout.tsx';
import { useFields } from '@counterfoil/ui/parts/use-fields.ts';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import type { Account } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

const text = words.workspaceSettings;

export function BalanceForm({ account }: { account: Account }) {
  const { base, isOwner } = useWorkspace();
  const { values, field } = useFields({ balance: writeAmount(account.balance) });
  const action = useAction(
    () => put(`${base}/account/balance`, { balance: Number(readAmount(values.balance)) }),
    { done: text.balanceSet, quiet: true },
  );
  return (
    <Surface title={text.balance} text={text.balanceText}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate();
        }}
      >
        <Stack>
          <Text fz={22} fw={620}>
            {tellPrice(account.balance, account.currency)}
          </Text>
          {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
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
        </Stack>
      </form>
    </Surface>
  );
}
