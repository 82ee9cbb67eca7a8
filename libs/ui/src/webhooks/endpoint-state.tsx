// Shows the state of an endpoint as a badge, and the reason why the service disabled it.
import { Badge, Stack, Text } from '@mantine/core';
import { patch } from '../api/request.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Moment } from '../parts/moment.tsx';
import { Hint } from '../parts/page.tsx';
import { words } from '../strings.ts';
import type { Endpoint, EndpointProps } from './webhooks.ts';

const text = words.webhooks;

/** Whether the endpoint was disabled by the service and not by a person. */
export const isStopped = ({ state, disabled_reason: reason }: Endpoint): boolean =>
  state === 'disabled' && reason !== null && reason !== 'by_hand';

export function StateBadge({ endpoint }: { endpoint: Endpoint }) {
  if (isStopped(endpoint)) return <Badge color="red">{text.states.stopped}</Badge>;
  if (endpoint.state === 'disabled') return <Badge color="gray">{text.states.paused}</Badge>;
  if (endpoint.failing_since) return <Badge color="amber">{text.states.failing}</Badge>;
  return <Badge color="pine">{text.states.enabled}</Badge>;
}

export function useSwitch(props: EndpointProps) {
  const { path, endpoint } = props;
  const state = endpoint.state === 'enabled' ? 'disabled' : 'enabled';
  return useAction(() => patch(`${path}/${endpoint.id}`, { state }), {
    done: state === 'enabled' ? text.resumed : text.paused,
  });
}

/**
 * Shows why the service disabled the endpoint, or since when deliveries to an enabled endpoint fail. Renders
 * nothing for all other endpoints, such as an endpoint that a person disabled.
 */
export function DisabledNote(props: EndpointProps) {
  const { endpoint } = props;
  const action = useSwitch(props);
  if (endpoint.state === 'enabled') {
    if (!endpoint.failing_since) return null;
    return (
      <Hint>
        {text.failingSince} <Moment at={endpoint.failing_since} />
      </Hint>
    );
  }
  if (!isStopped(endpoint)) return null;
  const reason = endpoint.disabled_reason ?? '';
  return (
    <Stack gap={6} align="flex-start" maw={320}>
      <Text size="xs" className="cf-break">
        {text.reasons[reason] ?? reason}
      </Text>
      {props.canManage && (
        <ActionButton action={action} label={text.enableAgain} size="compact-xs" variant="default" />
      )}
    </Stack>
  );
}
