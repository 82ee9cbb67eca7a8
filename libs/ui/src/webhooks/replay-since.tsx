// Sends all events since a chosen time again, for a receiver that lost events.
import { Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { RotateCcw } from 'lucide-react';
import { post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { words } from '../strings.ts';
import type { EndpointProps } from './webhooks.ts';

const text = words.webhooks;

export function ReplaySince(props: EndpointProps) {
  return (
    <DialogButton
      label={text.replay}
      title={text.replayTitle}
      variant="default"
      size="xs"
      leftSection={<RotateCcw size={14} aria-hidden />}
      dialog={{ centered: true }}
    >
      {({ close }) => <Replay {...props} onClose={close} />}
    </DialogButton>
  );
}

/** Converts the local time of the input to UTC. The service expects a time without fractions of a second. */
const toWire = (local: string): string => `${new Date(local).toISOString().slice(0, 19)}Z`;

function Replay({ path, endpoint, onClose }: EndpointProps & { onClose: () => void }) {
  const { values, field } = useFields({ since: '' });
  const action = useAction(
    () => {
      const since = toWire(values.since);
      return post<{ queued: number }>(`${path}/${endpoint.id}/replay`, { since });
    },
    {
      quiet: true,
      refresh: ['webhooks', 'webhook-deliveries', 'audit'],
      onDone: ({ queued }) => {
        notifications.show({ message: text.queued(queued), color: 'pine' });
        onClose();
      },
    },
  );
  return (
    <ActionForm action={action} submit={text.replay} onCancel={onClose}>
      <Text size="sm">{text.replayText}</Text>
      <TextInput label={text.since} type="datetime-local" required data-autofocus {...field('since')} />
    </ActionForm>
  );
}
