// The types of the service's responses, derived from its schemas.
import type { AbuseAnswer } from '@counterfoil/licensing-server/abuse/likely-abuse';
import type { AccountAnswer } from '@counterfoil/licensing-server/accounts/account';
import type { ListedActivation } from '@counterfoil/licensing-server/activations/activation';
import type { ActivationLimitsAnswer } from '@counterfoil/licensing-server/activations/activation-limits';
import type { ApiKeyAnswer } from '@counterfoil/licensing-server/authentication/api-key';
import type {
  BuyerListedPurchase as BuyerListedPurchaseAnswer,
  BuyerPurchase as BuyerPurchaseAnswer,
} from '@counterfoil/licensing-server/buyers/buyer-purchase';
import type { BuyerSessionAnswer } from '@counterfoil/licensing-server/buyers/buyer-session';
import type { VersionAnswer } from '@counterfoil/licensing-server/items/item-version';
import type { ManagedItem } from '@counterfoil/licensing-server/items/management/managed-item';
import type { LicenceTermsAnswer } from '@counterfoil/licensing-server/licences/licence-terms';
import type { Overview as OverviewAnswer } from '@counterfoil/licensing-server/overview/overview';
import type { RefusedCode as RefusedCodeAnswer } from '@counterfoil/licensing-server/pools/import-codes';
import type { PoolAnswer } from '@counterfoil/licensing-server/pools/pool';
import type {
  ListedPurchase as ListedPurchaseAnswer,
  WholePurchase,
} from '@counterfoil/licensing-server/purchases/management/managed-purchase';
import type { LoggedRequestAnswer } from '@counterfoil/licensing-server/request-log/logged-request';
import type { SigningKeyAnswer } from '@counterfoil/licensing-server/signing-keys/signing-key';
import type { WorkspaceAnswer } from '@counterfoil/licensing-server/workspaces/workspace';
import type { Static } from 'typebox';

export type Account = Static<typeof AccountAnswer>;
export type Activation = Static<typeof ListedActivation>;
export type ActivationLimits = Static<typeof ActivationLimitsAnswer>;
export type ApiKey = Static<typeof ApiKeyAnswer>;
export type LikelyAbuse = Static<typeof AbuseAnswer>;
export type BuyerListedPurchase = Static<typeof BuyerListedPurchaseAnswer>;
export type BuyerPurchase = Static<typeof BuyerPurchaseAnswer>;
export type BuyerSession = Static<typeof BuyerSessionAnswer>;
export type ItemVersion = Static<typeof VersionAnswer>;
export type Item = Static<typeof ManagedItem>;
export type LicenceTerms = Static<typeof LicenceTermsAnswer>;
export type Overview = Static<typeof OverviewAnswer>;
export type ListedPurchase = Static<typeof ListedPurchaseAnswer>;
export type Pool = Static<typeof PoolAnswer>;
export type RefusedCode = Static<typeof RefusedCodeAnswer>;
export type Purchase = Static<typeof WholePurchase>;
export type LoggedRequest = Static<typeof LoggedRequestAnswer>;
export type SigningKey = Static<typeof SigningKeyAnswer>;
export type Workspace = Static<typeof WorkspaceAnswer>;
