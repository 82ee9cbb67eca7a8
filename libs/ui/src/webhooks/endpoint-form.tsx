// The fields of an endpoint, for a new one and for one that is there.
import { Alert, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describeProblem, findFieldError } from '../api/problem.ts';
import { useFields } from '../parts/use-fields.ts';
import { words } from '../strings.ts';
import type { Endpoint, EventType, WebhooksProps } from './wire.ts';

const text = words.webhooks;

export interface EndpointBody {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

export function EndpointForm(props: {
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
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {words.confirm.cancel}
          </Button>
          <Button type="submit" loading={props.waiting} disabled={events.length === 0}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
