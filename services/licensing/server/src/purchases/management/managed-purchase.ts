// A purchase as the management API returns it, with its buyer. Lists do not contain the full code.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { NamedObject } from '../../wire/input.ts';
import { unsealCode } from '../code.ts';
import { licenseTypes, type Purchase, purchaseStates } from '../purchase.ts';

export interface ManagedPurchase extends Purchase {
  readonly codeHash: Buffer;
  readonly codeSealed: Buffer;
  readonly buyerName: string | undefined;
  readonly buyerEmail: string | undefined;
  readonly buyerErasedAt: Date | undefined;
  readonly blockedAt: Date | undefined;
  readonly inputHash: Buffer | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const ListedPurchase = NamedObject('ListedPurchase', {
  id: Type.Integer(),
  code_hint: Type.String({ description: 'The last characters of the code.' }),
  item_id: Type.Integer(),
  license_type: Type.Enum([...licenseTypes]),
  price: Type.Number({ description: 'The price paid at the sale.' }),
  currency: Type.String(),
  state: Type.Enum([...purchaseStates]),
  blocked_at: Type.String({
    description: '"" if the purchase is not blocked. The code of a blocked purchase is not valid.',
  }),
  supported_until: Type.String({ description: '"" without support.' }),
  downloaded: Type.Boolean(),
  downloaded_at: Type.String({ description: '"" before the first completed download.' }),
  date: Type.String(),
  buyer: Type.Object({ name: Type.String(), email: Type.String() }),
  created_at: Type.String(),
  updated_at: Type.String(),
});

export const WholePurchase = NamedObject('ManagedPurchase', {
  ...ListedPurchase.properties,
  purchase_code: Type.String(),
});

const presentOptionalTime = (time: Date | undefined) => (time ? presentTime(time) : '');

export const presentListedPurchase = (purchase: ManagedPurchase) => ({
  id: Number(purchase.id),
  code_hint: purchase.codeHint,
  item_id: Number(purchase.itemId),
  license_type: purchase.licenseType,
  price: toJsonNumber(purchase.priceMinor, purchase.currency),
  currency: purchase.currency,
  state: purchase.state,
  blocked_at: presentOptionalTime(purchase.blockedAt),
  supported_until: presentOptionalTime(purchase.supportedUntil),
  downloaded: purchase.downloadedAt !== undefined,
  downloaded_at: presentOptionalTime(purchase.downloadedAt),
  date: presentTime(purchase.purchasedAt),
  buyer: { name: purchase.buyerName ?? '', email: purchase.buyerEmail ?? '' },
  created_at: presentTime(purchase.createdAt),
  updated_at: presentTime(purchase.updatedAt),
});

export const presentWholePurchase = (masterKey: MasterKey, purchase: ManagedPurchase) => ({
  ...presentListedPurchase(purchase),
  purchase_code: unsealCode(masterKey, purchase.codeSealed, purchase.codeHash),
});
