// A workspace: its name, its settings, and the fields that the panel shows.

import { presentTime } from '@counterfoil/kit/http/answers';
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

/** The vendors whose clients the service can answer. */
export const vendors = ['envato', 'gumroad', 'lemon_squeezy'] as const;
export type Vendor = (typeof vendors)[number];

/** Whether buyers get a mail before their support ends, and in which language. `off` means no mail. */
export const buyerSupportMails = ['off', 'en', 'de'] as const;
export type BuyerSupportMail = (typeof buyerSupportMails)[number];

export interface Workspace {
  readonly id: bigint;
  readonly name: string;
  readonly supportEnabled: boolean;
  /** The months of support that a new sale gets by default. 0 means no support. */
  readonly supportMonths: number;
  /** The vendors whose clients may call the service with keys of this workspace. */
  readonly vendorClients: readonly Vendor[];
  readonly buyerSupportMail: BuyerSupportMail;
  readonly createdAt: Date;
}

export const supportMonthsMeaning =
  'Months of support of a new sale without `supported_until`; 0 means no support.';

export const vendorClientsMeaning =
  "The vendors whose clients get their vendor's answers from this service; by default none.";

export const buyerSupportMailMeaning =
  'Whether buyers get a mail in the seven days before their support ends: `off`, which is the default, or ' +
  'the language of the mail.';

export const maxSupportMonths = 120;

export const WorkspaceAnswer = NamedObject('Workspace', {
  id: Type.Integer(),
  name: Type.String(),
  support_enabled: Type.Boolean({ description: 'Whether validation answers contain `supported_until`.' }),
  support_months: Type.Integer({ description: supportMonthsMeaning }),
  vendor_clients: Type.Array(Type.Enum([...vendors]), { description: vendorClientsMeaning }),
  buyer_support_mail: Type.Enum([...buyerSupportMails], { description: buyerSupportMailMeaning }),
  created_at: Type.String({ format: 'date-time' }),
});

export const presentWorkspace = (workspace: Workspace) => ({
  id: Number(workspace.id),
  name: workspace.name,
  support_enabled: workspace.supportEnabled,
  support_months: workspace.supportMonths,
  vendor_clients: [...workspace.vendorClients],
  buyer_support_mail: workspace.buyerSupportMail,
  created_at: presentTime(workspace.createdAt),
});
