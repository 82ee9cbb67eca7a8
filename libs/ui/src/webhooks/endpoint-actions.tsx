// The buttons of an endpoint: edit, pause, reveal and rotate the secret, delete.
import { Group } from '@mantine/core';
import { Pause, Play, Trash2 } from 'lucide-react';
import { remove } from '../api/request.ts';
import { ActionButton } from '../parts/action.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { useGo } from '../parts/links.tsx';
import { SecretReveal } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import { EditButton } from './endpoint-form.tsx';
import { useSwitch } from './endpoint-state.tsx';
import { RotateButton } from './rotate-secret.tsx';
import type { EndpointProps, EventType } from './webhooks.ts';

const text = words.webhooks;

type Props = EndpointProps & { eventTypes: readonly EventType[] };

export function EndpointActions(props: Props) {
  const path = `${props.path}/${props.endpoint.id}/reveal`;
  return (
    <Group gap="xs">
      <EditButton {...props} />
      <SwitchButton {...props} />
      <SecretReveal label={text.secret} buttonLabel={text.reveal} size="sm" path={path} />
      <RotateButton {...props} />
      <DeleteButton {...props} />
    </Group>
  );
}

function SwitchButton(props: Props) {
  const action = useSwitch(props);
  const isOn = props.endpoint.state === 'enabled';
  const Icon = isOn ? Pause : Play;
  return (
    <ActionButton
      action={action}
      label={isOn ? text.pause : text.resume}
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
    />
  );
}

function DeleteButton({ endpoint, path, listTo }: Props) {
  const go = useGo();
  return (
    <ConfirmButton
      label={text.delete}
      button={{ leftSection: <Trash2 size={14} aria-hidden /> }}
      run={() => remove(`${path}/${endpoint.id}`)}
      done={text.deleted}
      onDone={() => go(listTo, { replace: true })}
      title={text.deleteTitle}
      text={text.deleteText(endpoint.url)}
      danger
    />
  );
}
