// What @counterfoil/wallet gives: the client, its errors and types, callbacks and webhooks.

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
