// Creates a player, for example for tests.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ActionForm, FormButtons, useFields } from '@counterfoil/ui/parts/form.tsx';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { usePackage } from '../package.ts';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

const text = words.players;

export function NewPlayerButton() {
  const { to } = usePackage();
  const go = useGo();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {text.create}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={text.create}>
        {opened && (
          <NewPlayer
            onClose={() => setOpened(false)}
            onMade={(player_id) => go(to(paths.player, { player_id }))}
          />
        )}
      </Modal>
    </>
  );
}

export function NewPlayer(props: { onClose: () => void; onMade: (playerId: string) => void }) {
  const { base } = usePackage();
  const { values, field } = useFields({ player_id: '', name: '' });
  const action = useAction(() => post(`${base}/players`, values), {
    quiet: true,
    onDone: () => props.onMade(values.player_id),
  });
  return (
    <ActionForm action={action}>
      <Text size="sm">{text.createText}</Text>
      <TextInput
        label={text.id}
        required
        maxLength={64}
        data-autofocus
        {...field('player_id', action.error)}
      />
      <TextInput label={text.name} maxLength={128} {...field('name', action.error)} />
      <FormButtons submit={text.create} onCancel={props.onClose} waiting={action.isPending} />
    </ActionForm>
  );
}
