// Replaces a leaked code by a new one.
import { makeRandomHex, post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Surface } from '@counterfoil/ui/parts/layout.tsx';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Purchase } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

const text = words.purchase;

/** The card sends one Idempotency-Key, so a repeat after a broken connection replaces the code once. */
export function ReissueCard({ purchase }: { purchase: Purchase }) {
  const { base } = useWorkspace();
  const [opened, setOpened] = useState(false);
  const [idempotencyKey] = useState(() => makeRandomHex(16));
  const action = useAction(
    () =>
      post(
        `${base}/purchases/${purchase.id}/reissue`,
        {},
        { headers: { 'idempotency-key': idempotencyKey } },
      ),
    { done: text.reissued, onDone: () => setOpened(false) },
  );
  return (
    <Surface title={text.reissue} text={text.reissueText}>
      <Button variant="default" onClick={() => setOpened(true)}>
        {text.reissue}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => action.mutate()}
        title={text.reissue}
        text={text.reissueConfirm}
        action={text.reissue}
        waiting={action.isPending}
        danger
      />
    </Surface>
  );
}
