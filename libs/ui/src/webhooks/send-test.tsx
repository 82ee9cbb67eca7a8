// Sends a test event and shows the response of the receiver.
import { Alert, Group, Stack } from '@mantine/core';
import { Send } from 'lucide-react';
import { post } from '../api/request.ts';
import { ActionButton, ActionError, useAction } from '../parts/action.tsx';
import { Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { describeFault, formatDuration } from './delivery-details.tsx';
import type { EndpointProps, Tested } from './webhooks.ts';

const text = words.webhooks;

export function SendTest({ endpoint, path }: EndpointProps) {
  const action = useAction(() => post<Tested>(`${path}/${endpoint.id}/test`), {
    quiet: true,
    refresh: ['webhooks', 'webhook-deliveries', 'audit'],
  });
  return (
    <Surface title={text.test} text={text.testText}>
      <Stack gap="sm">
        <ActionError action={action} />
        {action.data && <Result tested={action.data} />}
        <Group>
          <ActionButton action={action} label={text.sendTest} leftSection={<Send size={14} aria-hidden />} />
        </Group>
      </Stack>
    </Surface>
  );
}

function Result({ tested }: { tested: Tested }) {
  const isFine = tested.outcome === 'delivered';
  const answer = tested.status === null ? text.noAnswer : text.answered(tested.status);
  const facts = [answer, tested.duration_ms !== null && formatDuration(tested.duration_ms)];
  return (
    <Alert color={isFine ? 'pine' : 'red'} role="status" title={text.outcomes[tested.outcome]}>
      {facts.filter(Boolean).join(' · ')}
      {tested.error && <div className="cf-break">{describeFault(tested.error)}</div>}
    </Alert>
  );
}
