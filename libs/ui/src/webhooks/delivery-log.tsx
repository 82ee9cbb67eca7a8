// Lists every attempt to deliver an event to an endpoint, newest first.
import { Button, Group } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Moment } from '../parts/moment.tsx';
import { Empty, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { CursorTable } from '../table/cursor-table.tsx';
import { ChoiceFilter, toChoices, useFilters } from '../table/filters.tsx';
import { Noted } from '../table/rows.tsx';
import {
  DetailsDialog,
  describeFault,
  formatDuration,
  NextAttempt,
  OutcomeBadge,
} from './delivery-details.tsx';
import { ReplaySince } from './replay-since.tsx';
import { type Delivery, type EndpointProps, refreshMs } from './webhooks.ts';

const text = words.webhooks;

export function DeliveryLog(props: EndpointProps) {
  const path = `${props.path}/${props.endpoint.id}/deliveries`;
  const { outcome } = useFilters().filters;
  const [shown, setShown] = useState<Delivery>();
  return (
    <Surface
      title={text.deliveries}
      text={text.deliveriesText}
      actions={props.canManage && <ReplaySince {...props} />}
      flush
    >
      <Group px="md" pb="sm">
        <ChoiceFilter name="outcome" label={text.outcome} choices={toChoices(text.outcomes)} />
      </Group>
      <CursorTable<Delivery>
        label={text.deliveries}
        queryKey={['webhook-deliveries', path]}
        refreshMs={refreshMs}
        rowKey={({ id }) => id}
        path={path}
        field="deliveries"
        query={{ limit: 25, outcome }}
        empty={<Empty title={text.noDeliveries} text={text.noDeliveriesText} icon={Inbox} />}
        columns={[
          { title: words.audit.when, render: ({ at }) => <Moment at={at} /> },
          { title: text.event, render: (delivery) => <EventName delivery={delivery} /> },
          { title: text.outcome, render: (delivery) => <Outcome delivery={delivery} /> },
          { title: text.attempt, align: 'right', render: ({ attempt }) => attempt },
          { title: text.status, align: 'right', render: ({ status }) => status ?? text.nothing },
          {
            title: text.took,
            align: 'right',
            render: ({ duration_ms: ms }) => (ms === null ? text.nothing : formatDuration(ms)),
          },
          { title: text.nextAttempt, render: (delivery) => <NextAttempt delivery={delivery} /> },
          {
            title: text.details,
            quiet: true,
            render: (delivery) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setShown(delivery)}
                aria-label={text.detailsOf(delivery.type, delivery.attempt)}
              >
                {text.details}
              </Button>
            ),
          },
        ]}
      />
      <DetailsDialog {...props} delivery={shown} onClose={() => setShown(undefined)} />
    </Surface>
  );
}

function EventName({ delivery }: { delivery: Delivery }) {
  return (
    <Noted note={delivery.subject ?? delivery.event_id} mono>
      {delivery.type}
    </Noted>
  );
}

function Outcome({ delivery: { outcome, error } }: { delivery: Delivery }) {
  return (
    <Noted note={error && describeFault(error)} maw={280}>
      <OutcomeBadge outcome={outcome} />
    </Noted>
  );
}
