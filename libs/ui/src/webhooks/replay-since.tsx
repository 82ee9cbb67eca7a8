// Sends all events since a time again, for a receiver that lost them.
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { ActionForm, FormButtons } from '../parts/form.tsx';
import { words } from '../strings.ts';
import type { Endpoint, WebhooksProps } from './webhooks.ts';

const text = words.webhooks;

type Props = WebhooksProps & { endpoint: Endpoint };

export function ReplaySince(props: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<RotateCcw size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {text.replay}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={text.replayTitle} centered>
        {opened && <Replay {...props} onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

/** The input has local time; the service expects UTC without fractions of a second. */
const toWire = (local: string): string => `${new Date(local).toISOString().slice(0, 19)}Z`;

function Replay({ path, endpoint, onClose }: Props & { onClose: () => void }) {
  const [since, setSince] = useState('');
  const action = useAction(
    () => post<{ queued: number }>(`${path}/${endpoint.id}/replay`, { since: toWire(since) }),
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
    <ActionForm action={action}>
      <Text size="sm">{text.replayText}</Text>
      <TextInput
        label={text.since}
        type="datetime-local"
        required
        data-autofocus
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <FormButtons submit={text.replay} onCancel={onClose} waiting={action.isPending} />
    </ActionForm>
  );
}
