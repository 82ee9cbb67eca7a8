// Shows whether the second factor is off, being set up or on, with the buttons that change it.
import { Badge, Group, TextInput } from '@mantine/core';
import { useMe } from '../api/me.ts';
import { remove } from '../api/request.ts';
import { ActionForm, OwnPasswordInput, useAction, useFields } from '../parts/action.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Hint, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { SetUp } from './set-up-second-factor.tsx';

export function SecondFactor() {
  const { data: me } = useMe();
  if (!me) return null;
  const isOn = me.second_factor;
  return (
    <Surface
      title={words.factor.title}
      actions={<Badge {...(!isOn && { color: 'gray' })}>{isOn ? words.factor.on : words.factor.off}</Badge>}
    >
      <Group justify="space-between" align="flex-end">
        <Hint size="sm" maw={520}>
          {isOn ? words.factor.onText(me.recovery_codes_left) : words.factor.offText}
        </Hint>
        <DialogButton
          label={isOn ? words.factor.turnOff : words.factor.start}
          title={isOn ? words.factor.offTitle : words.factor.passwordTitle}
          variant={isOn ? 'default' : 'filled'}
          dialog={{ centered: true, closeOnClickOutside: false }}
        >
          {({ close }) => (isOn ? <TurnOff onClose={close} /> : <SetUp onClose={close} />)}
        </DialogButton>
      </Group>
    </Surface>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ password: '', code: '' });
  const action = useAction(() => remove('/panel/second-factor', values), {
    done: words.factor.offDone,
    quiet: true,
    refresh: ['me'],
    onDone: onClose,
  });
  return (
    <ActionForm action={action} submit={words.factor.turnOff} button={{ fullWidth: true, color: 'red.8' }}>
      <OwnPasswordInput {...field('password')} />
      <TextInput
        label={words.signIn.code}
        description={words.signIn.codeText}
        autoComplete="one-time-code"
        required
        {...field('code')}
      />
    </ActionForm>
  );
}
