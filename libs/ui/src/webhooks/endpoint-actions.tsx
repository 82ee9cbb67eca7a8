// The buttons of an endpoint: edit, pause, reveal and rotate the secret, delete.
import { Button, Group } from '@mantine/core';
import { Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { post, remove } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useGo } from '../parts/links.tsx';
import { SecretReveal } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import { EditButton } from './endpoint-form.tsx';
import { useSwitch } from './endpoint-state.tsx';
import { RotateButton } from './rotate-secret.tsx';
import type { Endpoint, EventType, WebhooksProps } from './webhooks.ts';

const text = words.webhooks;

type Props = WebhooksProps & { endpoint: Endpoint; eventTypes: readonly EventType[] };

export function EndpointActions(props: Props) {
  const { endpoint, path } = props;
  const reveal = async (password: string) =>
    (await post<{ secret: string }>(`${path}/${endpoint.id}/reveal`, { password })).secret;
  return (
    <Group gap="xs">
      <EditButton {...props} />
      <SwitchButton {...props} />
      <SecretReveal label={text.secret} buttonLabel={text.reveal} size="sm" reveal={reveal} />
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
    <Button
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={action.isPending}
      onClick={() => action.mutate()}
    >
      {isOn ? text.pause : text.resume}
    </Button>
  );
}

function DeleteButton({ endpoint, path, listTo }: Props) {
  const [opened, setOpened] = useState(false);
  const go = useGo();
  const action = useAction(() => remove(`${path}/${endpoint.id}`), {
    done: text.deleted,
    onDone: () => go(listTo, { replace: true }),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {text.delete}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => action.mutate()}
        title={text.deleteTitle}
        text={text.deleteText(endpoint.url)}
        action={text.delete}
        waiting={action.isPending}
        danger
      />
    </>
  );
}
