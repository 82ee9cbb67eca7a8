// The inputs for the credentials that a person enters.
import type { useFields } from '@counterfoil/ui/parts/action.tsx';
import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import { words } from '../strings.ts';
import { type CredentialName, credentials, type Kind } from './connection.ts';

const text = words.providers;

type Entered = Record<CredentialName, string>;

/** The credentials that the dialect uses and that the person has filled in. */
export const pickCredentials = (kind: Kind, entered: Entered): Partial<Entered> =>
  Object.fromEntries(
    credentials[kind].flatMap(({ name }) =>
      entered[name].trim() === '' ? [] : [[name, entered[name].trim()]],
    ),
  );

export const noCredentials: Entered = {
  token: '',
  casino_id: '',
  merchant_id: '',
  merchant_key: '',
  provider_public_key_pem: '',
  operator_id: '',
  sub_partner_id: '',
  recon_token: '',
};

const inputs = { text: TextInput, secret: PasswordInput, key: Textarea } as const;

export function CredentialFields(props: {
  kind: Kind;
  fields: ReturnType<typeof useFields<Entered>>;
  error: unknown;
  /** If true, no field is required. In a rotation, every field may be empty. */
  allOptional?: boolean;
}) {
  const { kind, fields, error, allOptional = false } = props;
  return credentials[kind].map(({ name, form, required }) => {
    const Input = inputs[form];
    return (
      <Input
        key={name}
        label={text.credentials[name]}
        description={text.credentialHints[name]}
        required={required && !allOptional}
        autoComplete="off"
        maxLength={8192}
        {...(form === 'key' && { rows: 5, placeholder: '-----BEGIN PUBLIC KEY-----', className: 'cf-mono' })}
        {...fields.field(name, error, `secrets.${name}`)}
      />
    );
  });
}
