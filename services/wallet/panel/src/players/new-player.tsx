// Makes a player by hand, such as one to test with.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { useFields } from '@counterfoil/ui/parts/use-fields.ts';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{text.createText}</Text>
        {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
        <TextInput
          label={text.id}
          required
          maxLength={64}
          data-autofocus
          {...field('player_id', action.error)}
        />
        <TextInput label={text.name} maxLength={128} {...field('name', action.error)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={action.isPending}>
            {text.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
