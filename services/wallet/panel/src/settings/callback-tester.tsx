// Sends a correct or deliberately wrong test callback, and shows request and response.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, ActionError, useAction } from '@counterfoil/ui/parts/action.tsx';
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Alert, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { PlayerSelect } from '../players/player-select.tsx';
import { words } from '../strings.ts';
import type { Package } from '../wire.ts';

const text = words.tester;
const faults = ['none', 'wrong_secret', 'no_seal', 'wrong_seal', 'old_seal'] as const;
type Fault = (typeof faults)[number];

interface Tested {
  readonly sent: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: {
    readonly status: number;
    readonly body: unknown;
    readonly sealed: boolean | null;
  };
}

export function CallbackTester({ security }: { security: Package['callback_security'] }) {
  const { base } = useTenant();
  const [playerId, setPlayerId] = useState<string>();
  const [fault, setFault] = useState<Fault>('none');
  const action = useAction(() => post<Tested>(`${base}/callback-test`, { player_id: playerId, fault }), {
    quiet: true,
    refresh: ['audit', 'callbacks'],
  });
  const possible = security === 'headers' ? faults.slice(0, 2) : faults;
  return (
    <Surface title={text.title} text={text.text}>
      <Stack>
        <ActionError action={action} />
        <PlayerSelect value={playerId} onChange={setPlayerId} />
        <Group align="flex-end" gap="sm">
          <Select
            label={text.fault}
            data={possible.map((value) => ({ value, label: text.faults[value] }))}
            value={fault}
            allowDeselect={false}
            onChange={(value) => setFault(value as Fault)}
            flex={1}
            miw={160}
          />
          <ActionButton
            action={action}
            label={words.callbacks.send}
            miw={120}
            leftSection={<Send size={16} aria-hidden />}
            disabled={playerId === undefined}
          />
        </Group>
        {action.data && <Result tested={action.data} />}
      </Stack>
    </Surface>
  );
}

const writeRequest = ({ sent }: Tested): string => {
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${sent.method} ${sent.path}`, ...headers, '', sent.body].join('\n');
};

function Result({ tested }: { tested: Tested }) {
  const { answer } = tested;
  const isFine = answer.status === 200;
  const code = (answer.body as { code?: string }).code;
  const verdict = isFine ? text.accepted : text.refused(answer.status, code ?? '');
  return (
    <Stack gap="sm" aria-live="polite">
      <Alert color={isFine ? 'pine' : 'amber'}>
        {verdict} {answer.sealed === true && text.sealed} {answer.sealed === false && text.unsealed}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CodeBlock label={words.callbacks.sent} code={writeRequest(tested)} />
        <CodeBlock label={words.callbacks.answer} code={JSON.stringify(answer.body, null, 2)} />
      </SimpleGrid>
    </Stack>
  );
}
