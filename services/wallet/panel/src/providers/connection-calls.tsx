// The calls of providers. The details of a call show its original body and its meaning side by side.
import { CodeBlock } from '@counterfoil/ui/parts/code-block.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Facts, Surface } from '@counterfoil/ui/parts/page.tsx';
import { CursorTable } from '@counterfoil/ui/table/cursor-table.tsx';
import { TextFilter, useFilters } from '@counterfoil/ui/table/filters.tsx';
import { Noted } from '@counterfoil/ui/table/rows.tsx';
import { Button, Group, Modal, SimpleGrid, Stack } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { Connection, NamedCall } from '../wire.ts';
import { CallResult } from './call-result.tsx';
import { formatJson, nameConnection, useConnections } from './connection.ts';

const text = words.providers;
const refreshMs = 10_000;

export function ConnectionCalls({ connection }: { connection: Connection }) {
  const { path } = useConnections();
  return (
    <Surface title={text.calls} text={text.callsText} flush>
      <Group px="md" pb="sm">
        <TextFilter name="transaction_id" label={words.callbacks.byId} width={220} />
      </Group>
      <CallTable path={`${path}/${connection.id}/calls`} queryKey={['provider-calls', connection.id]} />
    </Surface>
  );
}

/**
 * Shows the calls of one connection or of all connections. In the list of all connections, each call has the
 * name of its connection.
 */
export function CallTable({ path, queryKey }: { path: string; queryKey: readonly (string | number)[] }) {
  const { transaction_id: transactionId, player_id: playerId } = useFilters().filters;
  const [shown, setShown] = useState<NamedCall>();
  return (
    <>
      <CursorTable<NamedCall>
        label={text.calls}
        queryKey={queryKey}
        fixed={['show']}
        refreshMs={refreshMs}
        rowKey={({ id }) => id}
        path={path}
        field="calls"
        query={{ limit: 25, transaction_id: transactionId, player_id: playerId }}
        empty={<Empty title={text.noCalls} text={text.noCallsText} icon={Inbox} />}
        columns={[
          { title: text.when, render: ({ at }) => <Moment at={at} /> },
          {
            title: text.call,
            render: ({ operation, transaction_ids: ids, connection }) => (
              <Noted
                note={[connection && nameConnection(connection), ids.join(', ')].filter(Boolean).join(' · ')}
                maw={320}
              >
                {operation}
              </Noted>
            ),
          },
          { title: text.player, render: ({ player_id: id }) => id ?? words.nothing },
          { title: text.outcome, render: (call) => <CallResult call={call} /> },
          {
            title: text.details,
            quiet: true,
            render: (call) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setShown(call)}
                aria-label={text.detailsOf(call.operation)}
              >
                {text.details}
              </Button>
            ),
          },
        ]}
      />
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.operation ?? ''}
        size="xl"
      >
        {shown && <CallDetails call={shown} />}
      </Modal>
    </>
  );
}

/** Shows a call as the provider sent it, and its meaning for the wallet. */
export function CallDetails({ call }: { call: NamedCall }) {
  return (
    <Stack>
      <Facts
        facts={[
          ...(call.connection ? [[text.name, nameConnection(call.connection)] as const] : []),
          [text.when, <Moment key="at" at={call.at} />],
          [text.outcome, <CallResult key="outcome" call={call} />],
          [text.httpStatus, String(call.status)],
          [text.address, call.address],
          [text.requestId, call.request_id],
        ]}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CodeBlock label={text.original} code={formatJson(call.body) || words.nothing} />
        <CodeBlock
          label={text.meaning}
          code={call.meaning === null ? text.noMeaning : JSON.stringify(call.meaning, null, 2)}
        />
      </SimpleGrid>
    </Stack>
  );
}
