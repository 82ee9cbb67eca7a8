// Creates the first signing key, or rotates the current key with a notice period and an overlap.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Text, TextInput } from '@mantine/core';
import { words } from '../strings.ts';

const text = words.licences;

export function CreateKeyButton() {
  return <DialogButton label={text.create}>{({ close }) => <Create close={close} />}</DialogButton>;
}

function Create({ close }: Pick<DialogControls, 'close'>) {
  const { base } = useTenant();
  const action = useAction(() => post(`${base}/signing-keys/rotate`, {}), {
    done: text.created,
    quiet: true,
    onDone: close,
  });
  return (
    <ActionForm action={action} submit={text.create} onCancel={close}>
      <Text size="sm">{text.createText}</Text>
    </ActionForm>
  );
}

export function RotateKeyButton() {
  return (
    <DialogButton label={text.rotate} variant="default">
      {({ close }) => <Rotate close={close} />}
    </DialogButton>
  );
}

function Rotate({ close }: Pick<DialogControls, 'close'>) {
  const { base } = useTenant();
  const { values, field } = useFields({ notice: '30', overlap: '400' });
  const action = useAction(
    () =>
      post(`${base}/signing-keys/rotate`, {
        notice_days: Number(values.notice),
        overlap_days: Number(values.overlap),
      }),
    { done: text.rotated, quiet: true, onDone: close },
  );
  return (
    <ActionForm action={action} submit={text.rotate} onCancel={close}>
      <Text size="sm">{text.rotateText}</Text>
      <TextInput
        label={text.notice}
        description={text.noticeText}
        type="number"
        min={0}
        max={90}
        required
        {...field('notice', action.error, 'notice_days')}
      />
      <TextInput
        label={text.overlap}
        description={text.overlapText}
        type="number"
        min={0}
        max={400}
        required
        {...field('overlap', action.error, 'overlap_days')}
      />
    </ActionForm>
  );
}
