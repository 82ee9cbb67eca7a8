// Sends a signed balance call to a connection, and shows request, answer and meaning.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionButton, ActionError, useAction } from '@counterfoil/ui/parts/action.tsx';
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { PlayerSelect } from '../players/player-select.tsx';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { formatCallCode } from './call-result.tsx';
import { formatJson, useConnections } from './connection.ts';

const text = words.providers;

interface Tested {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly response: { readonly status: number; readonly body: string };
  readonly meaning: { readonly result?: { readonly kind: string; readonly code?: string } } | null;
}

export function ConnectionTester({ connection }: { connection: Connection }) {
  const { path } = useConnections();
  const [playerId, setPlayerId] = useState<string>();
  const send = () => post<Tested>(`${path}/${connection.id}/test`, { player_id: playerId });
  const action = useAction(send, { quiet: true, refresh: ['provider-calls'] });
  return (
    <Surface title={text.tester} text={text.testerText}>
      <Stack>
        <ActionError action={action} />
        <PlayerSelect value={playerId} onChange={setPlayerId} />
        <Group>
          <ActionButton
            action={action}
            label={text.send}
            leftSection={<Send size={16} aria-hidden />}
            disabled={playerId === undefined}
          />
        </Group>
        {action.data && <Result tested={action.data} />}
      </Stack>
    </Surface>
  );
}

const writeRequest = ({ request }: Tested): string => {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`${request.method} ${request.path}`, ...headers, '', formatJson(request.body)].join('\n').trim();
};

function Result({ tested }: { tested: Tested }) {
  const { response, meaning } = tested;
  const isFine = meaning?.result?.kind === 'balance';
  const code = meaning?.result?.code;
  return (
    <Stack gap="sm" aria-live="polite">
      <Alert color={isFine ? 'pine' : 'amber'}>
        {isFine
          ? text.accepted
          : text.refused(code === undefined ? String(response.status) : formatCallCode(code))}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CodeBlock label={text.request} code={writeRequest(tested)} />
        <CodeBlock label={text.answer(response.status)} code={formatJson(response.body)} />
      </SimpleGrid>
      <CodeBlock
        label={text.meaning}
        code={meaning === null ? text.noMeaning : JSON.stringify(meaning, null, 2)}
      />
    </Stack>
  );
}
