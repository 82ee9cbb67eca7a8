// Tops up a package or reverses a top-up. The transaction id makes a repeated request harmless.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { FormButtons } from '@counterfoil/ui/parts/form.tsx';
import { Alert, Button, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { useMoneyForm } from '../parts/use-money-form.ts';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.topUps;

interface Props {
  readonly base: string;
  readonly found: Package;
}

export function TopUpButton(props: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Coins size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {text.topUp}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.titleOf(props.found.name)}
      >
        {opened && <TopUp {...props} onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function TopUp({ base, found, onClose }: Props & { onClose: () => void }) {
  const [type, setType] = useState('top_up');
  const { action, field, submit } = useMoneyForm(
    (fields) => post(`${base}/top-ups`, { ...fields, type }),
    { done: text.done, onDone: onClose },
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
        <SegmentedControl
          aria-label={text.topUp}
          data={[
            { value: 'top_up', label: text.topUp },
            { value: 'top_up_reversal', label: text.reverse },
          ]}
          value={type}
          onChange={setType}
        />
        <TextInput
          label={words.adjust.amount(found.currency)}
          inputMode="decimal"
          required
          data-autofocus
          {...field('amount', action.error)}
        />
        <TextInput
          label={text.id}
          description={words.adjust.idText}
          required
          maxLength={128}
          {...field('transaction_id', action.error)}
        />
        <TextInput label={words.adjust.note} maxLength={255} {...field('note', action.error)} />
        <FormButtons
          submit={type === 'top_up' ? text.topUp : text.reverse}
          onCancel={onClose}
          waiting={action.isPending}
        />
      </Stack>
    </form>
  );
}
