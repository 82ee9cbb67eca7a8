// The exports of @counterfoil/wallet: the client, its errors and types, callbacks and webhooks.

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
export { CallbackError } from './callback-error.ts';
export {
  type CallbackAnswer,
  type CallbackRequest,
  type CallbackSecurity,
  type CallbackSecurityOptions,
  createCallbackSecurity,
} from './callbacks.ts';
export type { Resolution } from './resolve.ts';
export { type BalanceUpdate, createWallet, type Wallet, type WalletOptions } from './wallet.ts';
export type * from './wire.ts';
