// Creates a connection step by step, and changes the settings of an existing connection.
import { findFieldError } from '@counterfoil/ui/api/problem.ts';
import { patch, post } from '@counterfoil/ui/api/request.ts';
import { ActionForm, useAction, useFields } from '@counterfoil/ui/parts/action.tsx';
import { DialogButton, FormDialog } from '@counterfoil/ui/parts/dialog.tsx';
import { toChoices } from '@counterfoil/ui/table/filters.tsx';
import { Alert, Select, Text, TextInput } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '../package.ts';
import { words } from '../strings.ts';
import type { Connection } from '../wire.ts';
import { type Kind, kindNames, kindOf, toDialect, useConnections } from './connection.ts';
import { type NewConnection, ShownConnection } from './connection-secrets.tsx';
import { CredentialFields, noCredentials, pickCredentials } from './credential-fields.tsx';

const text = words.providers;

type Values = { name: string; game_prefix: string; codes: string; upstream_url: string };
type Fields = ReturnType<typeof useFields<Values>>;

const useCurrency = (): string => useSettings().data?.package.currency ?? '';

const valuesOf = (connection?: Connection): Values => ({
  name: connection?.name ?? '',
  game_prefix: connection?.game_prefix ?? '',
  codes: Object.keys(connection?.currencies ?? {}).join(', '),
  upstream_url: connection?.upstream_url ?? '',
});

/**
 * Makes the body of the request. Each entered currency code is the provider's code for the package's
 * currency.
 */
function toBody({ name, game_prefix, codes, upstream_url: url }: Values, currency: string) {
  const listed = codes.split(/[\s,]+/).filter((code) => code !== '');
  const currencies = Object.fromEntries(listed.map((code) => [code, currency]));
  return { name, game_prefix, currencies, upstream_url: url.trim() === '' ? null : url.trim() };
}

function findCurrencyError(error: unknown, codes: string): string | undefined {
  const own = findFieldError(error, 'currencies');
  const listed = codes.split(/[\s,]+/).map((code) => findFieldError(error, `currencies.${code}`));
  return own ?? listed.find((each) => each !== undefined);
}

/** The fields that every dialect has. */
function SettingsFields({ fields, error }: { fields: Fields; error: unknown }) {
  const currency = useCurrency();
  const codesError = findCurrencyError(error, fields.values.codes);
  return (
    <>
      <TextInput
        label={text.name}
        description={text.nameHint}
        required
        maxLength={128}
        data-autofocus
        {...fields.field('name', error)}
      />
      <TextInput
        label={text.prefix}
        description={text.prefixHint}
        maxLength={32}
        {...fields.field('game_prefix', error)}
      />
      <TextInput
        label={text.codes(currency)}
        description={text.codesHint}
        maxLength={600}
        {...fields.field('codes')}
        {...(codesError && { error: codesError })}
      />
      <TextInput
        label={text.upstream}
        description={text.upstreamHint}
        placeholder="https://"
        maxLength={2048}
        {...fields.field('upstream_url', error)}
      />
    </>
  );
}

export function AddDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={text.add} size="lg" once>
      {({ close, show }) => (
        <NewForm
          onMade={(made, kind) => show(<ShownConnection made={made} kind={kind} />)}
          onCancel={close}
        />
      )}
    </FormDialog>
  );
}

function NewForm(props: { onMade: (made: NewConnection, kind: Kind) => void; onCancel: () => void }) {
  const { path } = useConnections();
  const currency = useCurrency();
  const [kind, setKind] = useState<Kind>('softswiss');
  const fields = useFields(valuesOf());
  const secrets = useFields(noCredentials);
  const action = useAction(
    () =>
      post<NewConnection>(path, {
        ...toBody(fields.values, currency),
        ...toDialect(kind),
        secrets: pickCredentials(kind, secrets.values),
      }),
    { quiet: true, onDone: (made) => props.onMade(made, kind) },
  );
  return (
    <ActionForm action={action} submit={text.addDo} onCancel={props.onCancel}>
      <Select
        label={text.dialect}
        description={text.dialectHint}
        data={toChoices(kindNames)}
        value={kind}
        allowDeselect={false}
        onChange={(value) => setKind(value as Kind)}
      />
      <Alert color="gray" role="note" title={text.before}>
        <Text size="sm">{text.enter[kind]}</Text>
      </Alert>
      <CredentialFields kind={kind} fields={secrets} error={action.error} />
      <SettingsFields fields={fields} error={action.error} />
    </ActionForm>
  );
}

export function EditButton({ connection }: { connection: Connection }) {
  return (
    <DialogButton
      label={text.edit}
      variant="default"
      leftSection={<Pencil size={14} aria-hidden />}
      dialog={{ size: 'lg' }}
    >
      {({ close }) => <EditForm connection={connection} onClose={close} />}
    </DialogButton>
  );
}

function EditForm({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { path } = useConnections();
  const currency = useCurrency();
  const fields = useFields(valuesOf(connection));
  const save = () => patch(`${path}/${connection.id}`, toBody(fields.values, currency));
  const action = useAction(save, { done: text.saved, quiet: true, onDone: onClose });
  return (
    <ActionForm action={action} submit={words.save} onCancel={onClose}>
      <Text size="sm">{text.editText(kindNames[kindOf(connection)])}</Text>
      <SettingsFields fields={fields} error={action.error} />
    </ActionForm>
  );
}
