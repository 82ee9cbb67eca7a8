// The tokens of programs that manage packages: list, create, revoke.
import { post } from '@counterfoil/ui/api/request.ts';
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { DialogButton, type DialogControls } from '@counterfoil/ui/parts/dialog.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { NewSecret } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Noted, Rows } from '@counterfoil/ui/table/rows.tsx';
import { Badge, TextInput } from '@mantine/core';
import { Ticket } from 'lucide-react';
import { words } from '../strings.ts';
import type { AdminToken } from '../wire.ts';

const text = words.tokens;

export default function AdminTokens() {
  const query = useGet<{ admin_tokens: AdminToken[] }>(['admin-tokens'], '/panel/admin/admin-tokens');
  const make = (
    <DialogButton label={text.make} once>
      {(controls) => <MakeToken {...controls} />}
    </DialogButton>
  );
  return (
    <>
      <PageHeader title={words.pages.adminTokens} text={text.text} actions={make} />
      <Surface flush>
        <QueryView query={query}>{(data) => <Table tokens={data.admin_tokens} />}</QueryView>
      </Surface>
    </>
  );
}

function Table({ tokens }: { tokens: readonly AdminToken[] }) {
  return (
    <Rows
      label={words.pages.adminTokens}
      rows={tokens}
      rowKey={({ id }) => id}
      empty={<Empty title={text.none} text={text.noneText} icon={Ticket} />}
      columns={[
        {
          title: text.name,
          render: (token) => (
            <Noted note={token.hint} mono>
              {token.name}
            </Noted>
          ),
        },
        {
          title: words.credentials.state,
          render: ({ state }) => (
            <Badge color={state === 'active' ? 'pine' : 'gray'}>{text.states[state]}</Badge>
          ),
        },
        { title: words.credentials.made, render: (token) => <Moment at={token.created_at} /> },
        {
          title: words.credentials.used,
          render: ({ last_used_at: at }) => (at ? <Moment at={at} /> : words.never),
        },
        {
          title: words.credentials.revoke,
          quiet: true,
          render: (token) => token.state === 'active' && <RevokeButton token={token} />,
        },
      ]}
    />
  );
}

function RevokeButton({ token }: { token: AdminToken }) {
  const title = text.revokeOf(token.name);
  return (
    <ConfirmButton
      label={words.credentials.revoke}
      button={{ size: 'xs', 'aria-label': title }}
      run={() => post(`/panel/admin/admin-tokens/${token.id}/revoke`)}
      done={text.revoked}
      title={title}
      text={text.revokeText}
      danger
    />
  );
}

function MakeToken({ close, show }: DialogControls) {
  const { values, field } = useFields({ name: '' });
  const action = useAction(() => post<{ token: string }>('/panel/admin/admin-tokens', values), {
    quiet: true,
    onDone: ({ token }) => show(<NewSecret text={text.shownOnce} label={text.token} secret={token} />),
  });
  return (
    <ActionForm action={action} submit={text.make} onCancel={close}>
      <TextInput
        label={text.name}
        description={text.nameText}
        required
        data-autofocus
        {...field('name', action.error)}
      />
    </ActionForm>
  );
}
