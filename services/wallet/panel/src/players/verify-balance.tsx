// Compares the balance of a player with the sum of the movements in the journal.
import { get } from '@counterfoil/ui/api/request.ts';
import { ActionButton } from '@counterfoil/ui/parts/action.tsx';
import { Facts, Failed, Hint, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { BookOpenCheck, CircleCheck, CircleX } from 'lucide-react';
import { Amount } from '../parts/amount.tsx';
import { words } from '../strings.ts';

const text = words.verify;

interface BalanceProof {
  readonly holds: boolean;
  readonly balance: number;
  readonly opening: number;
  readonly change: number;
  readonly movements: number;
  readonly broken: number;
  readonly complete: boolean;
}

export function VerifyBalance({ playerId }: { playerId: string }) {
  const { base } = useTenant();
  const proof = useMutation({
    mutationFn: () => get<BalanceProof>(`${base}/player/proof`, { query: { player_id: playerId } }),
  });
  return (
    <Surface
      title={text.title}
      actions={
        <ActionButton
          action={proof}
          label={text.run}
          size="xs"
          variant="default"
          leftSection={<BookOpenCheck size={14} aria-hidden />}
        />
      }
    >
      <Stack gap="sm" aria-live="polite">
        {!proof.data && !proof.isError && <Hint size="sm">{text.text}</Hint>}
        {proof.isError && <Failed error={proof.error} />}
        {proof.data && <Verdict proof={proof.data} />}
      </Stack>
    </Surface>
  );
}

function Verdict({ proof }: { proof: BalanceProof }) {
  const { holds } = proof;
  return (
    <>
      <Alert
        color={holds ? 'pine' : 'red'}
        py={8}
        icon={holds ? <CircleCheck size={18} /> : <CircleX size={18} />}
      >
        {holds ? text.holds(proof.movements) : text.broken(proof.broken)}
      </Alert>
      <Facts
        facts={[
          [proof.complete ? text.opening : text.openingLater, <Amount key="o" value={proof.opening} />],
          [text.change, <Amount key="c" value={proof.change} />],
          [text.balance, <Amount key="b" value={proof.balance} />],
        ]}
      />
    </>
  );
}
