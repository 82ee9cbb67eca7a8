// Creates a player, for example for tests.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { useGo } from '@counterfoil/ui/parts/links.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { type ButtonProps, Text, TextInput } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

const text = words.players;

/** After the player is created, the page of the player opens. */
export function NewPlayerButton() {
  const { to } = useTenant();
  const go = useGo();
  return (
    <CreateButton
      leftSection={<UserPlus size={16} aria-hidden />}
      onMade={(player_id) => go(to(paths.player, { player_id }))}
    />
  );
}

type OnMade = (playerId: string) => void;

export function CreateButton({ onMade, ...button }: ButtonProps & { onMade: OnMade }) {
  return (
    <DialogButton label={text.create} {...button}>
      {({ close }) => (
        <NewPlayer
          onClose={close}
          onMade={(playerId) => {
            onMade(playerId);
            close();
          }}
        />
      )}
    </DialogButton>
  );
}

function NewPlayer(props: { onClose: () => void; onMade: OnMade }) {
  const { base } = useTenant();
  const { values, field } = useFields({ player_id: '', name: '' });
  const action = useAction(() => post(`${base}/players`, values), {
    quiet: true,
    onDone: () => props.onMade(values.player_id),
  });
  return (
    <ActionForm action={action} submit={text.create} onCancel={props.onClose}>
      <Text size="sm">{text.createText}</Text>
      <TextInput
        label={text.id}
        required
        maxLength={64}
        data-autofocus
        {...field('player_id', action.error)}
      />
      <TextInput label={text.name} maxLength={128} {...field('name', action.error)} />
    </ActionForm>
  );
}
