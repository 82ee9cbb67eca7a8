// The exports of @counterfoil/licensing: the client, its errors and types, offline licences and webhooks.

export type { Amount } from '../../sdk-shared/src/amount.ts';
export type { CallLimits, CallOptions } from '../../sdk-shared/src/call.ts';
export {
  CounterfoilError,
  type LocalCode,
  type Outcome,
} from '../../sdk-shared/src/counterfoil-error.ts';
export {
  verifyWebhook,
  type Webhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
} from '../../sdk-shared/src/verify-webhook.ts';
export type { ActivationsQuery } from './activation-calls.ts';
export type { PublicJwk, PublicKeys } from './ed25519.ts';
export type { MediaUpload, Upload } from './item-calls.ts';
export { createLicensing, type Licensing, type LicensingOptions } from './licensing.ts';
export type { IssueOptions } from './managed-calls.ts';
export { isSupported, type MoreFields, type Validation, type Verdict } from './validate.ts';
export { createMemoryCache, type ValidationCache } from './validation-cache.ts';
export {
  type LicenceCheck,
  type LicenceClaims,
  type LicenceRefusal,
  type LicenceVerdict,
  verifyLicence,
} from './verify-licence.ts';
export type * from './wire.ts';
