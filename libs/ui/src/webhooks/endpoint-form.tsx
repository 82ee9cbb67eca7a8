// Adds an endpoint or changes its address, description and events.
import { Alert, Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { describeProblem, findFieldError } from '../api/problem.ts';
import { patch, post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { FormButtons, useFields } from '../parts/form.tsx';
import { words } from '../strings.ts';
import { OnceDialog } from './once-dialog.tsx';
import type { Endpoint, EventType, WebhooksProps } from './webhooks.ts';

const text = words.webhooks;

interface EndpointBody {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

function EndpointForm(props: {
  eventTypes: readonly EventType[];
  names: WebhooksProps['text']['events'];
  endpoint?: Endpoint;
  error: unknown;
  waiting: boolean;
  action: string;
  onSubmit: (body: EndpointBody) => void;
  onClose: () => void;
}) {
  const { endpoint, error } = props;
  const types = props.eventTypes.map(({ type }) => type);
  const { values, field } = useFields({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
  });
  const [events, setEvents] = useState<string[]>([...(endpoint?.events ?? types)]);
  const toggle = () => setEvents(events.length === types.length ? [] : types);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit({ ...values, events });
      }}
    >
      <Stack>
        {error !== null && <Alert color="red">{describeProblem(error)}</Alert>}
        <TextInput
          label={text.url}
          description={text.urlHint}
          placeholder="https://"
          type="url"
          required
          maxLength={2048}
          data-autofocus
          {...field('url', error)}
        />
        <TextInput
          label={text.description}
          description={text.descriptionHint}
          maxLength={200}
          {...field('description', error)}
        />
        <Checkbox
          label={text.allEvents}
          checked={events.length === types.length}
          indeterminate={events.length > 0 && events.length < types.length}
          onChange={toggle}
        />
        <Checkbox.Group
          label={text.events}
          value={events}
          onChange={setEvents}
          error={findFieldError(error, 'events')}
        >
          <Stack gap={8} mt="xs">
            {props.eventTypes.map(({ type, description }) => (
              <Checkbox
                key={type}
                value={type}
                label={<span className="cf-mono cf-break">{type}</span>}
                description={props.names[type] ?? description}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <FormButtons
          submit={props.action}
          onCancel={props.onClose}
          waiting={props.waiting}
          disabled={events.length === 0}
        />
      </Stack>
    </form>
  );
}

type AddProps = WebhooksProps & { eventTypes: readonly EventType[]; onClose: () => void };

export function AddDialog(props: AddProps & { opened: boolean }) {
  const { opened, onClose } = props;
  return (
    <OnceDialog opened={opened} onClose={onClose} title={text.add} note={text.secretText}>
      {(show) => <Add {...props} onShow={show} />}
    </OnceDialog>
  );
}

function Add(props: AddProps & { onShow: (secret: string) => void }) {
  const action = useAction((body: EndpointBody) => post<{ secret: string }>(props.path, body), {
    quiet: true,
    refresh: ['webhooks', 'audit'],
    onDone: ({ secret }) => props.onShow(secret),
  });
  return (
    <EndpointForm
      eventTypes={props.eventTypes}
      names={props.text.events}
      error={action.error}
      waiting={action.isPending}
      action={text.addDo}
      onSubmit={(body) => action.mutate(body)}
      onClose={props.onClose}
    />
  );
}

type EditProps = WebhooksProps & { endpoint: Endpoint; eventTypes: readonly EventType[] };

export function EditButton(props: EditProps) {
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

function Edit(props: EditProps & { onClose: () => void }) {
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
