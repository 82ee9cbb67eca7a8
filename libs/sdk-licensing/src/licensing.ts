// The client of the licensing service: one method per operation, each with time limits and retries.
import { type CallOptions, type ClientOptions, createSend, type Send } from '../../sdk-shared/src/call.ts';
import { createActivationCalls } from './activation-calls.ts';
import type { PublicKeys } from './ed25519.ts';
import { createItemCalls } from './item-calls.ts';
import { createLicenceCalls } from './licence-calls.ts';
import { createCalls } from './managed-calls.ts';
import { createPoolCalls } from './pool-calls.ts';
import { createPurchaseCalls } from './purchase-calls.ts';
import { createSignedFetch } from './signed-answers.ts';
import { createValidate, type ValidationOptions } from './validate.ts';
import type * as wire from './wire.ts';
import { amountFields } from './wire.ts';

export interface LicensingOptions extends ClientOptions, ValidationOptions {
  /** A secret key on a server, or a publishable key in browsers and in software that you ship. */
  readonly apiKey: string;
  /**
   * The public keys of the workspace. If given, the client accepts verdicts only with a genuine signature, so
   * that another host cannot fake them.
   */
  readonly publicKeys?: PublicKeys;
}

export type Licensing = ReturnType<typeof createLicensing>;

export function createLicensing(options: LicensingOptions) {
  const { publicKeys } = options;
  const signed = publicKeys && { fetch: createSignedFetch(publicKeys, options.fetch) };
  const send = createSend({ ...options, ...signed }, { 'x-api-key': options.apiKey }, amountFields);
  return {
    /** Validates a purchase code. An invalid code is an answer, not an error. */
    ...createValidate(send, options),
    ...createPublicReads(send),
    ...createActivationCalls(send),
    ...createLicenceCalls(send),
    ...createItemCalls(send),
    ...createPurchaseCalls(send),
    ...createPoolCalls(send),
  };
}

function createPublicReads(send: Send) {
  const { read } = createCalls(send);
  return {
    getAccount: (options?: CallOptions) => read<wire.GetAccountAnswer>('/api/account/details', {}, options),
    listPublishedItems: (query: wire.ListPublishedItemsQuery = {}, options?: CallOptions) =>
      read<wire.ListPublishedItemsAnswer>('/api/items/all', query, options),
    getPublishedItem: (query: wire.GetPublishedItemQuery, options?: CallOptions) =>
      read<wire.GetPublishedItemAnswer>('/api/items/item', query, options),
  };
}
