// One connection: its address, settings, actions, tester and latest calls.
import { patch, remove } from '@counterfoil/ui/api/request.ts';
import { ConfirmButton } from '@counterfoil/ui/parts/confirm-dialog.tsx';
import { PanelLink, useGo, useParam } from '@counterfoil/ui/parts/links.tsx';
import { Moment } from '@counterfoil/ui/parts/moment.tsx';
import { Empty, Facts, PageHeader, QueryView, Surface } from '@counterfoil/ui/parts/page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Group, Stack } from '@mantine/core';
import { Pause, Play, Trash2 } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { kindNames, kindOf, useConnections } from './connection.ts';
import { ConnectionCalls } from './connection-calls.tsx';
import { EditButton } from './connection-form.tsx';
import { Address, RotateButton } from './connection-secrets.tsx';
import { StateBadge } from './connection-table.tsx';
import { ConnectionTester } from './connection-tester.tsx';
import { SourceHealth } from './source-health.tsx';

const text = words.providers;

export default function Provider() {
  const { isOwner, base, to } = useTenant();
  const { query } = useConnections();
  const id = useParam('connection_id');
  const back = <PanelLink to={to(paths.providers)}>{words.pages.providers}</PanelLink>;
  return (
    <QueryView query={query}>
      {({ connections }) => {
        const connection = connections.find((each) => each.id === id);
        if (!connection) return <Empty title={text.gone} text={text.goneText} action={back} />;
        return (
          <>
            <PageHeader title={connection.name} text={back} />
            <Stack gap="lg">
              <Surface title={text.url} text={text.urlText}>
                <Address connection={connection} />
              </Surface>
              <About connection={connection} />
              <SourceHealth connection={connection} base={base} />
              {isOwner && <ConnectionTester connection={connection} />}
              <ConnectionCalls connection={connection} />
            </Stack>
          </>
        );
      }}
    </QueryView>
  );
}

function About({ connection }: { connection: Connection }) {
  const { isOwner } = useTenant();
  const { game_prefix: prefix, currencies, upstream_url: upstream, old_until: until } = connection;
  const codes = Object.keys(currencies).join(', ');
  return (
    <Surface title={text.about}>
      <Stack>
        <Facts
          facts={[
            [text.dialect, kindNames[kindOf(connection)]],
            [text.state, <StateBadge key="state" connection={connection} />],
            ...(prefix ? [[text.prefix, prefix] as const] : []),
            ...(codes ? [[text.codesShort, codes] as const] : []),
            ...(upstream ? [[text.upstream, upstream] as const] : []),
            ...(until ? [[text.oldCredentials, <Moment key="until" at={until} />] as const] : []),
            [words.credentials.made, <Moment key="created" at={connection.created_at} />],
          ]}
        />
        {isOwner && (
          <Group gap="xs">
            <EditButton connection={connection} />
            <PauseButton connection={connection} />
            <RotateButton connection={connection} />
            <DeleteButton connection={connection} />
          </Group>
        )}
      </Stack>
    </Surface>
  );
}

function PauseButton({ connection }: { connection: Connection }) {
  const { path } = useConnections();
  const isActive = connection.state === 'active';
  const Icon = isActive ? Pause : Play;
  return (
    <ConfirmButton
      label={isActive ? text.pause : text.resume}
      button={{ leftSection: <Icon size={14} aria-hidden /> }}
      run={() => patch(`${path}/${connection.id}`, { state: isActive ? 'paused' : 'active' })}
      done={isActive ? text.paused : text.resumed}
      title={isActive ? text.pauseTitle : text.resumeTitle}
      text={isActive ? text.pauseText : text.resumeText}
    />
  );
}

function DeleteButton({ connection }: { connection: Connection }) {
  const { path } = useConnections();
  const { to } = useTenant();
  const go = useGo();
  return (
    <ConfirmButton
      label={text.delete}
      button={{ leftSection: <Trash2 size={14} aria-hidden /> }}
      run={() => remove(`${path}/${connection.id}`)}
      done={text.deleted}
      onDone={() => go(to(paths.providers), { replace: true })}
      title={text.deleteTitle}
      text={text.deleteText}
      typed={connection.name}
      danger
    />
  );
}
