// The list of webhook endpoints.
import { Badge, Button, Group, Stack } from '@mantine/core';
import { Plus, Webhook } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatAmount } from '../parts/amount.ts';
import { PanelLink } from '../parts/links.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty, PageHeader, QueryView, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { Noted, Rows } from '../table/rows.tsx';
import { AddDialog } from './endpoint-form.tsx';
import { DisabledNote, StateBadge } from './endpoint-state.tsx';
import {
  type EndpointProps,
  useWebhooks,
  useWebhooksProps,
  type Webhooks,
  type WebhooksProps,
} from './webhooks.ts';

const text = words.webhooks;

export default function WebhooksPage() {
  const props = useWebhooksProps();
  const query = useWebhooks(props.path);
  // The button above the list and the button of the empty list open the same dialog. The dialog is not part
  // of the list, because a refetch may replace the empty list while the dialog shows a secret.
  const [isAdding, setAdding] = useState(false);
  const add = props.canManage && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={props.text.title} text={props.text.text} actions={add} />
      <QueryView query={query}>
        {(data) => (
          <Surface title={text.list} flush>
            <Endpoints
              {...props}
              webhooks={data}
              empty={<Empty title={text.none} text={props.text.noneText} icon={Webhook} action={add} />}
            />
          </Surface>
        )}
      </QueryView>
      <AddDialog
        {...props}
        eventTypes={query.data?.event_types ?? []}
        opened={isAdding && query.data !== undefined}
        onClose={() => setAdding(false)}
      />
    </>
  );
}

function Endpoints(props: WebhooksProps & { webhooks: Webhooks; empty: ReactNode }) {
  const { endpoints, event_types: types } = props.webhooks;
  return (
    <Rows
      label={text.list}
      empty={props.empty}
      rows={endpoints}
      rowKey={({ id }) => id}
      columns={[
        { title: text.url, render: (each) => <Address {...props} endpoint={each} /> },
        {
          title: text.state,
          render: (each) => (
            <Stack gap={6} align="flex-start">
              <StateBadge endpoint={each} />
              <DisabledNote {...props} endpoint={each} />
            </Stack>
          ),
        },
        {
          title: text.events,
          render: ({ events }) => <Events events={events} isAll={events.length >= types.length} />,
        },
        {
          title: text.lastDelivered,
          render: ({ last_delivered_at: at }) => (at ? <Moment at={at} /> : text.never),
        },
        { title: text.pending, align: 'right', render: ({ pending }) => formatAmount(pending) },
      ]}
    />
  );
}

function Address({ endpoint, endpointTo }: EndpointProps) {
  return (
    <Noted note={endpoint.description} maw={420}>
      <PanelLink to={endpointTo(endpoint.id)} className="cf-break" fw={550}>
        {endpoint.url}
      </PanelLink>
    </Noted>
  );
}

export function Events({ events, isAll }: { events: readonly string[]; isAll: boolean }) {
  if (isAll) return text.allEvents;
  return (
    <Group gap={4} maw={320}>
      {events.map((type) => (
        <Badge key={type} variant="default" className="cf-mono">
          {type}
        </Badge>
      ))}
    </Group>
  );
}
