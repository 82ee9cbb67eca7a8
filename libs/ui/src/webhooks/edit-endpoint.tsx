// Changes an endpoint's address, description and events; its secret stays.
import { Button, Modal } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { words } from '../strings.ts';
import { type EndpointBody, EndpointForm } from './endpoint-form.tsx';
import type { Endpoint, EventType, WebhooksProps } from './wire.ts';

const text = words.webhooks;

type Props = WebhooksProps & { endpoint: Endpoint; eventTypes: readonly EventType[] };

export function EditButton(props: Props) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {text.edit}
      </Button>
      <Modal opened={opened} onClose={close} title={text.edit} size="lg">
        {opened && <Edit {...props} onClose={close} />}
      </Modal>
    </>
  );
}

function Edit(props: Props & { onClose: () => void }) {
  const { endpoint, path } = props;
  const action = useAction((body: EndpointBody) => patch(`${path}/${endpoint.id}`, body), {
    done: text.saved,
    quiet: true,
    onDone: props.onClose,
  });
  return (
    <EndpointForm
      eventTypes={props.eventTypes}
      names={props.text.events}
      endpoint={endpoint}
      error={action.error}
      waiting={action.isPending}
      action={text.save}
      onSubmit={(body) => action.mutate(body)}
      onClose={props.onClose}
    />
  );
}
