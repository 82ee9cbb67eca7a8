// Shows the address and the credentials of a connection once, after its creation and after a rotation.
import { post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton } from '@counterfoil/ui/parts/dialog.tsx';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { Hint } from '@counterfoil/ui/parts/page.tsx';
import { type NamedSecret, Secrets, SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { words as shared } from '@counterfoil/ui/strings.ts';
import { toChoices } from '@counterfoil/ui/table/filters.tsx';
import { Alert, Select, Stack, Text } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { CallbackUrl } from '../parts/callback-url.tsx';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { type CredentialName, credentials, type Kind, kindOf, useConnections } from './connection.ts';
import { CredentialFields, noCredentials, pickCredentials } from './credential-fields.tsx';

const text = words.providers;

type Shown = Readonly<Record<string, string>>;

export interface NewConnection {
  readonly connection: Connection;
  readonly secrets: Shown;
}

const labels: Readonly<Record<string, string | undefined>> = {
  ...text.credentials,
  public_key_pem: text.publicKey,
};

/** Lists the secrets that the service generated. Leaves out ids, and the secrets that a person entered. */
function listOurs(kind: Kind, secrets: Shown): NamedSecret[] {
  const theirs = credentials[kind].filter(({ required }) => required).map(({ name }) => name);
  return Object.entries(secrets)
    .filter(([name]) => !theirs.includes(name as CredentialName) && !name.endsWith('_id'))
    .map(([name, secret]) => [labels[name] ?? name, secret] as const);
}

export function ShownConnection({ made, kind }: { made: NewConnection; kind: Kind }) {
  const ours = listOurs(kind, made.secrets);
  return (
    <Stack>
      <Text size="sm">{text.tell[kind]}</Text>
      <Stack gap={4}>
        <Hint>{text.url}</Hint>
        <SecretText label={text.url} secret={made.connection.url} />
      </Stack>
      {ours.length > 0 && <Secrets text={text.shownOnce} secrets={ours} />}
    </Stack>
  );
}

interface Rotated {
  readonly secrets: Shown;
  readonly old_until: string;
}

export function RotateButton({ connection }: { connection: Connection }) {
  return (
    <DialogButton
      label={text.rotate}
      title={text.rotateTitle}
      variant="default"
      leftSection={<RefreshCw size={14} aria-hidden />}
      dialog={{ size: 'lg' }}
      once
    >
      {({ close, show }) => (
        <RotateForm
          connection={connection}
          onRotated={(rotated) => show(<ShownRotation connection={connection} rotated={rotated} />)}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
}

function RotateForm(props: {
  connection: Connection;
  onRotated: (rotated: Rotated) => void;
  onCancel: () => void;
}) {
  const { path } = useConnections();
  const { connection } = props;
  const kind = kindOf(connection);
  const [overlap, setOverlap] = useState<string>('24h');
  const secrets = useFields(noCredentials);
  const rotate = () =>
    post<Rotated>(`${path}/${connection.id}/rotate`, {
      overlap,
      secrets: pickCredentials(kind, secrets.values),
    });
  const action = useAction(rotate, { quiet: true, onDone: props.onRotated });
  return (
    <ActionForm action={action} submit={text.rotate} onCancel={props.onCancel}>
      <Text size="sm">{text.rotateText}</Text>
      <CredentialFields kind={kind} fields={secrets} error={action.error} allOptional />
      <Select
        label={words.credentials.overlap}
        data={toChoices(shared.overlaps)}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap(value ?? '24h')}
      />
    </ActionForm>
  );
}

function ShownRotation({ connection, rotated }: { connection: Connection; rotated: Rotated }) {
  const ours = listOurs(kindOf(connection), rotated.secrets);
  const hint = words.credentials.oldUntil(formatMoment(rotated.old_until));
  if (ours.length === 0) return <Alert color="pine">{`${text.rotated} ${hint}`}</Alert>;
  return <Secrets text={text.shownOnce} secrets={ours} hint={hint} />;
}

export function Address({ connection }: { connection: Connection }) {
  return (
    <Stack gap="sm">
      <CallbackUrl url={connection.url} />
      <Text size="sm">{text.tell[kindOf(connection)]}</Text>
    </Stack>
  );
}
