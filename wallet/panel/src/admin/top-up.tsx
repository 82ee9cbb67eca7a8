// Tops a package up, or takes a top-up back; the id makes a second press of the button harmless.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { useFields } from '@counterfoil/ui/parts/use-fields.ts';
import { Alert, Button, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { makeId } from '../parts/make-id.ts';
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
  const { values, field } = useFields({ amount: '', transaction_id: makeId(), note: '' });
  const action = useAction(() => post(`${base}/top-ups`, { ...values, type }), {
    quiet: true,
    done: text.done,
    onDone: onClose,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={action.isPending}>
            {type === 'top_up' ? text.topUp : text.reverse}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
