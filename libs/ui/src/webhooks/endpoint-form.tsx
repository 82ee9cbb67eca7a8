// Adds an endpoint, or changes the address, the description and the events of an endpoint.
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { findFieldError } from '../api/problem.ts';
import { patch, post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { DialogButton, FormDialog } from '../parts/dialog.tsx';
import { words } from '../strings.ts';
import { EndpointSecret } from './rotate-secret.tsx';
import type { Endpoint, EndpointProps, EventType, WebhooksProps } from './webhooks.ts';

const text = words.webhooks;

interface EndpointBody {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

type FormProps<Result> = Pick<WebhooksProps, 'text'> & {
  eventTypes: readonly EventType[];
  endpoint?: Endpoint;
  submit: string;
  save: (body: EndpointBody) => Promise<Result>;
  /** The text of the notification after success. */
  done?: string;
  onDone: (result: Result) => void;
  onCancel: () => void;
};

function EndpointForm<Result>(props: FormProps<Result>) {
  const { endpoint, done } = props;
  const types = props.eventTypes.map(({ type }) => type);
  const { values, field } = useFields({ url: endpoint?.url ?? '', description: endpoint?.description ?? '' });
  const [events, setEvents] = useState<string[]>([...(endpoint?.events ?? types)]);
  const toggle = () => setEvents(events.length === types.length ? [] : types);
  const action = useAction(() => props.save({ ...values, events }), {
    ...(done && { done }),
    quiet: true,
    onDone: props.onDone,
  });
  const { error } = action;
  return (
    <ActionForm
      action={action}
      submit={props.submit}
      button={{ disabled: events.length === 0 }}
      onCancel={props.onCancel}
    >
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
              description={props.text.events[type] ?? description}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </ActionForm>
  );
}

type AddProps = WebhooksProps & {
  eventTypes: readonly EventType[];
  opened: boolean;
  onClose: () => void;
};

export function AddDialog(props: AddProps) {
  const { opened, onClose, path } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title={text.add} size="lg" once>
      {({ close, show }) => (
        <EndpointForm
          {...props}
          submit={text.addDo}
          save={(body) => post<{ secret: string }>(path, body)}
          onDone={({ secret }) => show(<EndpointSecret secret={secret} hint={text.secretText} />)}
          onCancel={close}
        />
      )}
    </FormDialog>
  );
}

type EditProps = EndpointProps & { eventTypes: readonly EventType[] };

export function EditButton(props: EditProps) {
  const { endpoint, path } = props;
  return (
    <DialogButton
      label={text.edit}
      variant="default"
      leftSection={<Pencil size={14} aria-hidden />}
      dialog={{ size: 'lg' }}
    >
      {({ close }) => (
        <EndpointForm
          {...props}
          submit={text.save}
          save={(body) => patch(`${path}/${endpoint.id}`, body)}
          done={text.saved}
          onDone={close}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
}
