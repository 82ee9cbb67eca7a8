// A seller's account and profile, as section 2 of the specification shows them.

import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

export interface Account {
  readonly workspaceId: bigint;
  readonly firstname: string;
  readonly lastname: string;
  readonly username: string;
  readonly email: string;
  readonly balanceMinor: bigint;
  readonly currency: string;
  readonly heading: string;
  readonly description: string;
  readonly contactEmail: string;
  readonly socialLinks: Record<string, string>;
  readonly avatarUrl: string;
  readonly coverUrl: string;
  readonly isSeller: boolean;
  readonly registeredAt: Date;
}

/** The fields that sellers can change themselves. */
export type Profile = Omit<
  Account,
  'workspaceId' | 'balanceMinor' | 'currency' | 'isSeller' | 'registeredAt'
>;

export const AccountAnswer = NamedObject('Account', {
  name: Type.Object({ firstname: Type.String(), lastname: Type.String(), full_name: Type.String() }),
  username: Type.String(),
  email: Type.String({ description: "The account's e-mail address." }),
  balance: Type.Number({ description: 'An exact decimal.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  profile: Type.Object({
    heading: Type.String(),
    description: Type.String(),
    contact: Type.Object({ email: Type.String() }),
    social_links: Type.Record(Type.String(), Type.String(), {
      description: 'Network name → link; the set of names is open.',
    }),
    media: Type.Object({ avatar: Type.String(), cover: Type.String() }),
  }),
  registered_at: Type.String({ format: 'date-time' }),
});

export function presentAccount(account: Account) {
  return {
    name: {
      firstname: account.firstname,
      lastname: account.lastname,
      full_name: `${account.firstname} ${account.lastname}`.trim(),
    },
    username: account.username,
    email: account.email,
    balance: toJsonNumber(account.balanceMinor, account.currency),
    currency: account.currency,
    profile: {
      heading: account.heading,
      description: account.description,
      contact: { email: account.contactEmail },
      social_links: account.socialLinks,
      media: { avatar: account.avatarUrl, cover: account.coverUrl },
    },
    registered_at: presentTime(account.registeredAt),
  };
}
