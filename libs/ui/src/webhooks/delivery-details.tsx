// One delivery attempt in full: the request, the response, and a button that sends the event again.
import { Badge, Group, Modal, Stack, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { post } from '../api/request.ts';
import { useGet } from '../api/use-get.ts';
import { formatNumber } from '../language.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatMoment, Moment } from '../parts/moment.tsx';
import { Facts, QueryView } from '../parts/page.tsx';
import { words } from '../strings.ts';
import type { Delivery, EndpointProps } from './webhooks.ts';

const text = words.webhooks;
const colors = { delivered: 'pine', failed: 'red', refused: 'amber' } as const;

/** Returns the text for the error code of an attempt. */
export const describeFault = (error: string): string => text.errors[error] ?? error;

export const formatDuration = (ms: number): string => text.milliseconds(formatNumber(ms));

export function OutcomeBadge({ outcome }: { outcome: Delivery['outcome'] }) {
  return <Badge color={colors[outcome]}>{text.outcomes[outcome]}</Badge>;
}

/** Shows the time of the next attempt, but only if it is in the future. */
export function NextAttempt({ delivery }: { delivery: Delivery }): ReactNode {
  const at = delivery.next_attempt_at;
  return at && Date.parse(at) > Date.now() ? <Moment at={at} /> : text.nothing;
}

const testType = 'webhook.test';

type Props = EndpointProps & { delivery: Delivery };

/** This dialog is not part of a table row, because the rows change while it is open. */
export function DetailsDialog(
  props: Omit<Props, 'delivery'> & { delivery: Delivery | undefined; onClose: () => void },
) {
  const { delivery, onClose } = props;
  return (
    <Modal opened={delivery !== undefined} onClose={onClose} title={delivery?.type} size="lg">
      {delivery && <Details {...props} delivery={delivery} />}
    </Modal>
  );
}

function Details(props: Props & { onClose: () => void }) {
  const { delivery } = props;
  return (
    <Stack>
      <DeliveryFacts delivery={delivery} />
      {delivery.type === testType ? <Text size="sm">{text.testNotKept}</Text> : <Sent {...props} />}
    </Stack>
  );
}

function Sent(props: Props & { onClose: () => void }) {
  const { delivery, endpoint, path } = props;
  const eventPath = `${path}/${endpoint.id}/events/${encodeURIComponent(delivery.event_id)}`;
  const query = useGet<{ event: unknown }>(['webhook-event', eventPath], eventPath);
  const action = useAction(() => post(`${path}/${endpoint.id}/replay`, { event_id: delivery.event_id }), {
    done: text.queuedOne,
    refresh: ['webhooks', 'webhook-deliveries', 'audit'],
    onDone: props.onClose,
  });
  return (
    <>
      <QueryView query={query}>
        {({ event }) => <CodeBlock label={text.payload} code={JSON.stringify(event, null, 2)} />}
      </QueryView>
      {props.canManage && (
        <Group justify="flex-end">
          <ActionButton
            action={action}
            label={text.replayOne}
            leftSection={<RotateCcw size={14} aria-hidden />}
          />
        </Group>
      )}
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { duration_ms: ms } = delivery;
  return (
    <Facts
      facts={[
        [text.outcome, <OutcomeBadge key="outcome" outcome={delivery.outcome} />],
        [words.audit.when, formatMoment(delivery.at)],
        [text.attempt, delivery.attempt],
        [text.status, delivery.status ?? text.noAnswer],
        [text.took, ms === null ? text.nothing : formatDuration(ms)],
        [text.error, delivery.error ? describeFault(delivery.error) : text.nothing],
        [text.nextAttempt, <NextAttempt key="next" delivery={delivery} />],
        [
          text.eventId,
          <span key="id" className="cf-mono cf-break">
            {delivery.event_id}
          </span>,
        ],
      ]}
    />
  );
}
