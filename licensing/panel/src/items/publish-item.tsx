// Puts an item on the list of the API, or takes it off.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Item } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

const text = words.items;

export function PublishButton({ item }: { item: Item }) {
  const { base } = useWorkspace();
  const action = useAction(() => post(`${base}/items/${item.id}/publish`), {
    done: text.published,
  });
  return (
    <Button loading={action.isPending} onClick={() => action.mutate()}>
      {text.publish}
    </Button>
  );
}

export function WithdrawButton({ item }: { item: Item }) {
  const { base } = useWorkspace();
  const [opened, setOpened] = useState(false);
  const action = useAction(() => post(`${base}/items/${item.id}/withdraw`), {
    done: text.withdrawn,
    onDone: () => setOpened(false),
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {text.withdraw}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => action.mutate()}
        title={text.withdrawTitle}
        text={text.withdrawText}
        action={text.withdraw}
        waiting={action.isPending}
        danger
      />
    </>
  );
}
