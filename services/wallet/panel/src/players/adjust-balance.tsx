// Credits or debits a player. The transaction id makes a repeated request harmless.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { FormButtons } from '@counterfoil/ui/parts/form.tsx';
import { Alert, Button, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePackage } from '../package.ts';
import { useMoneyForm } from '../parts/use-money-form.ts';
import { words } from '../strings.ts';
import type { Player } from '../wire.ts';

const text = words.adjust;

export function AdjustButton({ player }: { player: Player }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {text.title}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={text.title}>
        {opened && <Adjust player={player} onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function Adjust({ player, onClose }: { player: Player; onClose: () => void }) {
  const { base } = usePackage();
  const [type, setType] = useState('credit');
  const { action, field, submit } = useMoneyForm(
    (fields) => post(`${base}/player/adjust`, { ...fields, type, player_id: player.player_id }),
    { done: text.done, onDone: onClose },
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{text.text(player.player_id)}</Text>
        {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
        <SegmentedControl
          data={[
            { value: 'credit', label: text.credit },
            { value: 'debit', label: text.debit },
          ]}
          value={type}
          onChange={setType}
          aria-label={text.title}
        />
        <TextInput
          label={text.amount(player.currency)}
          inputMode="decimal"
          required
          data-autofocus
          {...field('amount', action.error)}
        />
        <TextInput
          label={text.id}
          description={text.idText}
          required
          maxLength={128}
          {...field('transaction_id', action.error)}
        />
        <TextInput label={text.note} maxLength={255} {...field('note', action.error)} />
        <FormButtons
          submit={type === 'credit' ? text.credit : text.debit}
          onCancel={onClose}
          waiting={action.isPending}
        />
      </Stack>
    </form>
  );
}
