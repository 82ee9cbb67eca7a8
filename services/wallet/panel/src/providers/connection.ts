// The connections of a package, the names of their dialects, and the credentials that each dialect needs.
import { useGet } from '@counterfoil/ui/api/use-get.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import type { Connection } from '../wire.ts';

/** The choices of the form. Caleta speaks a variant of the dialect hub88. */
export type Kind = Connection['dialect'] | 'caleta';

/** Names of companies and products, which are the same in every language. */
export const kindNames: Readonly<Record<Kind, string>> = {
  softswiss: 'SoftSwiss',
  slotegrator: 'Slotegrator',
  hub88: 'Hub88',
  caleta: 'Caleta',
  valkyrie: 'Valkyrie',
};

export const kindOf = ({ dialect, profile }: Pick<Connection, 'dialect' | 'profile'>): Kind =>
  profile ?? dialect;

/** The name of a connection, followed by the name of its protocol. */
export const nameConnection = ({ name, dialect }: Pick<Connection, 'name' | 'dialect'>): string =>
  `${name} · ${kindNames[dialect]}`;

export const toDialect = (kind: Kind) =>
  kind === 'caleta' ? ({ dialect: 'hub88', profile: 'caleta' } as const) : { dialect: kind };

export type CredentialName =
  | 'token'
  | 'casino_id'
  | 'merchant_id'
  | 'merchant_key'
  | 'provider_public_key_pem'
  | 'operator_id'
  | 'sub_partner_id'
  | 'recon_token';

interface Credential {
  readonly name: CredentialName;
  readonly form: 'text' | 'secret' | 'key';
  readonly required: boolean;
}

const need = (name: CredentialName, form: Credential['form']): Credential => ({ name, form, required: true });
const offer = (name: CredentialName, form: Credential['form']): Credential => ({
  name,
  form,
  required: false,
});

const ofHub88 = [
  need('provider_public_key_pem', 'key'),
  offer('operator_id', 'text'),
  offer('sub_partner_id', 'text'),
];

/** The credentials that a person enters. The service generates the other credentials. */
export const credentials: Readonly<Record<Kind, readonly Credential[]>> = {
  softswiss: [need('token', 'secret'), offer('casino_id', 'text')],
  slotegrator: [need('merchant_id', 'text'), need('merchant_key', 'secret')],
  hub88: ofHub88,
  caleta: ofHub88,
  valkyrie: [offer('recon_token', 'secret')],
};

export function useConnections() {
  const { id, base } = useTenant();
  const path = `${base}/connections`;
  const query = useGet<{ connections: Connection[] }>(['connections', id], path);
  return { path, query };
}

/** Writes JSON with indentation. Texts that are not JSON are returned unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
