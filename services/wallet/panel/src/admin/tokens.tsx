// The tokens of programs that manage packages: list, create, revoke.
import { get, post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { ConfirmDialog } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { PageHeader, Surface } from '@counterfoil/ui/parts/layout.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, QueryView } from '@counterfoil/ui/parts/states.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { Badge, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import { useState } from 'react';
import { words } from '../strings.ts';
import type { AdminToken } from '../wire.ts';
import { MakeTokenButton } from './make-token.tsx';

const text = words.tokens;

export default function AdminTokens() {
  const query = useQuery({
    queryKey: ['admin-tokens'],
    queryFn: () => get<{ admin_tokens: AdminToken[] }>('/panel/admin/admin-tokens'),
  });
  return (
    <>
      <PageHeader title={words.pages.adminTokens} text={text.text} actions={<MakeTokenButton />} />
      <Surface flush>
        <QueryView query={query}>{(data) => <Table tokens={data.admin_tokens} />}</QueryView>
      </Surface>
    </>
  );
}

function Table({ tokens }: { tokens: readonly AdminToken[] }) {
  if (tokens.length === 0) return <Empty title={text.none} text={text.noneText} icon={Ticket} />;
  return (
    <Rows
      label={words.pages.adminTokens}
      rows={tokens}
      rowKey={({ id }) => id}
      columns={[
        {
          title: text.name,
          render: (token) => (
            <Stack gap={0}>
              <Text size="sm" fw={550} className="cf-break">
                {token.name}
              </Text>
              <Text size="xs" c="dimmed" className="cf-mono">
                {token.hint}
              </Text>
            </Stack>
          ),
        },
        {
          title: text.state,
          render: ({ state }) => (
            <Badge variant="light" color={state === 'active' ? 'pine' : 'gray'}>
              {(text.states as Record<string, string>)[state] ?? state}
            </Badge>
          ),
        },
        { title: text.made, render: (token) => <Moment at={token.created_at} /> },
        {
          title: text.used,
          render: ({ last_used_at: at }) => (at ? <Moment at={at} /> : words.never),
        },
        {
          title: text.revoke,
          quiet: true,
          align: 'right',
          render: (token) => token.state === 'active' && <RevokeButton token={token} />,
        },
      ]}
    />
  );
}

function RevokeButton({ token }: { token: AdminToken }) {
  const [opened, setOpened] = useState(false);
  const action = useAction(() => post(`/panel/admin/admin-tokens/${token.id}/revoke`), {
    done: text.revoked,
    onDone: () => setOpened(false),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => setOpened(true)}
        aria-label={text.revokeOf(token.name)}
      >
        {text.revoke}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => action.mutate()}
        title={text.revokeOf(token.name)}
        text={text.revokeText}
        action={text.revoke}
        waiting={action.isPending}
        danger
      />
    </>
  );
}
