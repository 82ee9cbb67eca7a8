// What @counterfoil/licensing gives: the client, its errors and types, and webhooks.

export type { Amount } from '../../shared/amount.ts';
export type { CallLimits, CallOptions } from '../../shared/call.ts';
export { CounterfoilError, type LocalCode, type Outcome } from '../../shared/counterfoil-error.ts';
export {
  verifyWebhook,
  type Webhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
} from '../../shared/verify-webhook.ts';
export type { ActivationsQuery } from './activation-calls.ts';
export type { Upload } from './item-calls.ts';
export { createLicensing, type Licensing, type LicensingOptions } from './licensing.ts';
export type { IssueOptions } from './purchase-calls.ts';
export { isSupported, type MoreFields, type Validation, type Verdict } from './validate.ts';
export { createMemoryCache, type ValidationCache } from './validation-cache.ts';
export type * from './wire.ts';
