// Creates a token for a program and shows it once.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ActionForm, FormButtons, useFields } from '@counterfoil/ui/parts/form.tsx';
import { SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { words } from '../strings.ts';

const text = words.tokens;

export function MakeTokenButton() {
  const [opened, setOpened] = useState(false);
  // The dialog with the token closes only with its button, so the token is not lost by accident.
  const [isShown, setShown] = useState(false);
  const close = () => {
    setShown(false);
    setOpened(false);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>{text.make}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={text.make}
        closeOnClickOutside={false}
        closeOnEscape={!isShown}
        withCloseButton={!isShown}
      >
        {opened && <MakeToken onClose={close} onShown={() => setShown(true)} />}
      </Modal>
    </>
  );
}

function MakeToken({ onClose, onShown }: { onClose: () => void; onShown: () => void }) {
  const { values, field } = useFields({ name: '' });
  const action = useAction(() => post<{ token: string }>('/panel/admin/admin-tokens', values), {
    quiet: true,
    onDone: onShown,
  });
  if (action.data)
    return (
      <Stack>
        <Text size="sm">{text.shownOnce}</Text>
        <SecretText secret={action.data.token} label={text.token} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.credentials.kept}</Button>
        </Group>
      </Stack>
    );
  return (
    <ActionForm action={action}>
      <TextInput
        label={text.name}
        description={text.nameText}
        required
        data-autofocus
        {...field('name', action.error)}
      />
      <FormButtons submit={text.make} onCancel={onClose} waiting={action.isPending} />
    </ActionForm>
  );
}
