// Prints a purchase, with its code if `--with-code` is given.

import { formatMinor } from '@counterfoil/kit/money';
import { printFields } from '@counterfoil/kit/process/command-line/print';
import {
  type ManagedPurchase,
  presentListedPurchase,
  presentWholePurchase,
} from '../purchases/management/managed-purchase.ts';
import type { CommandTools, OfWorkspace, Tools } from './tools.ts';

export interface Shown extends OfWorkspace {
  readonly withCode?: boolean;
}

export function printPurchase(
  tools: CommandTools,
  given: Shown,
  found: { purchase: ManagedPurchase; config: Tools['config'] },
): void {
  const { purchase, config } = found;
  const shown = presentListedPurchase(purchase);
  const whole = given.withCode ? presentWholePurchase(config.masterKey, purchase) : undefined;
  printFields(tools, given, {
    json: whole ?? shown,
    title: `Purchase ${purchase.id} is ${purchase.state}.`,
    fields: [
      ['code', whole?.purchase_code ?? shown.code_hint],
      ['item', String(shown.item_id)],
      ['license', shown.license_type],
      ['price', `${formatMinor(purchase.priceMinor, purchase.currency)} ${purchase.currency}`],
      ['blocked', shown.blocked_at || 'no'],
      ['bought', shown.date],
      ['supported until', shown.supported_until || 'no support'],
      ['downloaded', shown.downloaded_at || 'never'],
      ['buyer', [shown.buyer.name, shown.buyer.email].filter(Boolean).join(', ')],
    ],
  });
}
