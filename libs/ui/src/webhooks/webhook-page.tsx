// The page of one endpoint: its events, its state, and the log of deliveries.
import { Alert, Stack } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { formatAmount } from '../parts/amount.ts';
import { PanelLink, useParam } from '../parts/links.tsx';
import { Moment } from '../parts/moment.tsx';
import { Empty, Facts, PageHeader, QueryView, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { DisabledNote, isStopped, StateBadge } from './endpoint-state.tsx';
import { SendTest } from './send-test.tsx';
import { type EndpointProps, type EventType, useWebhooks, useWebhooksProps } from './webhooks.ts';
import { Events } from './webhooks-page.tsx';

const text = words.webhooks;

/** The last part of the page's address is the id of the endpoint. */
export default function WebhookPage() {
  const props = useWebhooksProps();
  const query = useWebhooks(props.path);
  const id = useParam('endpoint_id');
  const back = <PanelLink to={props.listTo}>{props.text.title}</PanelLink>;
  return (
    <QueryView query={query}>
      {({ endpoints, event_types: types }) => {
        const endpoint = endpoints.find((each) => String(each.id) === id);
        if (!endpoint) return <Empty title={text.gone} text={text.goneText} action={back} />;
        return (
          <>
            <PageHeader title={endpoint.url} text={back} />
            <Whole {...props} endpoint={endpoint} eventTypes={types} />
          </>
        );
      }}
    </QueryView>
  );
}

type Props = EndpointProps & { eventTypes: readonly EventType[] };

function Whole(props: Props) {
  const { endpoint } = props;
  return (
    <Stack gap="lg">
      {isStopped(endpoint) && (
        <Alert color="red" icon={<TriangleAlert size={18} />} title={text.stoppedTitle}>
          <DisabledNote {...props} />
        </Alert>
      )}
      <About {...props} />
      {props.canManage && <SendTest {...props} />}
      <DeliveryLog {...props} />
    </Stack>
  );
}

function About(props: Props) {
  const { endpoint, eventTypes } = props;
  const { failing_since: failing, last_delivered_at: last } = endpoint;
  const until = endpoint.previous_secret_until;
  return (
    <Surface title={text.about}>
      <Stack>
        <Facts
          facts={[
            [text.state, <StateBadge key="state" endpoint={endpoint} />],
            ...(failing ? [[text.failingSince, <Moment key="failing" at={failing} />] as const] : []),
            ...(endpoint.description ? [[text.description, endpoint.description] as const] : []),
            [
              text.events,
              <Events
                key="events"
                events={endpoint.events}
                isAll={endpoint.events.length >= eventTypes.length}
              />,
            ],
            [text.lastDelivered, last ? <Moment key="last" at={last} /> : text.never],
            [text.pending, formatAmount(endpoint.pending)],
            [text.created, <Moment key="created" at={endpoint.created_at} />],
            ...(until ? [[text.oldSecret, <Moment key="until" at={until} />] as const] : []),
          ]}
        />
        {props.canManage && <EndpointActions {...props} />}
      </Stack>
    </Surface>
  );
}
