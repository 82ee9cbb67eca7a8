// Replays a callback in the sandbox and compares the results.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, ActionError, useAction } from '@counterfoil/ui/parts/action.tsx';
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { formatKind, formatResult } from '../parts/badges.tsx';
import { words } from '../strings.ts';
import type { Movement } from '../wire.ts';

const text = words.callbacks;

interface Replayed {
  readonly sent: Record<string, unknown>;
  readonly original: string;
  readonly answer: { readonly status: number; readonly body: unknown };
}

export function ReplayButton({ movement }: { movement: Movement }) {
  return (
    <DialogButton
      label={text.replay}
      title={text.replayTitle}
      size="compact-xs"
      variant="default"
      leftSection={<RotateCcw size={12} aria-hidden />}
      aria-label={text.replayOf(movement.transaction_id)}
      dialog={{ size: 'lg' }}
    >
      {() => <Replay movement={movement} />}
    </DialogButton>
  );
}

function Replay({ movement }: { movement: Movement }) {
  const { base } = useTenant();
  const action = useAction(
    () => post<Replayed>(`${base}/callbacks/replay`, { sequence: movement.sequence }),
    { quiet: true, refresh: ['audit'] },
  );
  return (
    <Stack>
      <Text size="sm">{text.replayText(formatKind(movement.kind), movement.transaction_id)}</Text>
      <ActionError action={action} />
      {action.data && <Compared replayed={action.data} />}
      <Group justify="flex-end">
        <ActionButton action={action} label={action.data ? text.again : text.send} />
      </Group>
    </Stack>
  );
}

interface ReplayAnswer {
  readonly data?: { readonly result?: string; readonly duplicate?: boolean };
  readonly code?: string;
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

function Compared({ replayed }: { replayed: Replayed }) {
  const { answer, original } = replayed;
  const { data, code } = answer.body as ReplayAnswer;
  const result = data?.result ?? code ?? '';
  const isSame = result === original || data?.duplicate === true;
  return (
    <>
      <Alert color={isSame ? 'pine' : 'amber'}>
        {text.compared(formatResult(original), answer.status, formatResult(result))}{' '}
        {data?.duplicate && text.duplicate}
      </Alert>
      <CodeBlock label={text.sent} code={pretty(replayed.sent)} />
      <CodeBlock label={text.answer} code={pretty(answer.body)} />
    </>
  );
}
