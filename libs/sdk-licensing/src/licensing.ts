// The client of the licensing service: an operation a method, each with its time limit and retries.
import {
  type CallOptions,
  type ClientOptions,
  createSend,
  type Send,
} from '../../sdk-shared/src/call.ts';
import { createActivationCalls } from './activation-calls.ts';
import { createItemCalls } from './item-calls.ts';
import { createPurchaseCalls } from './purchase-calls.ts';
import { createValidate, type ValidationOptions } from './validate.ts';
import {
  amountFields,
  type GetAccountAnswer,
  type GetPublishedItemAnswer,
  type GetPublishedItemQuery,
  type ListPublishedItemsAnswer,
  type ListPublishedItemsQuery,
} from './wire.ts';

export interface LicensingOptions extends ClientOptions, ValidationOptions {
  /** A secret key on a server; in what you ship, and in browsers, a publishable one. */
  readonly apiKey: string;
}

export type Licensing = ReturnType<typeof createLicensing>;

export function createLicensing(options: LicensingOptions) {
  const send = createSend(options, { 'x-api-key': options.apiKey }, amountFields);
  return {
    /** The service's word on a purchase code; a "no" is an answer, and throws nothing. */
    ...createValidate(send, options),
    ...createPublicReads(send),
    ...createActivationCalls(send),
    ...createItemCalls(send),
    ...createPurchaseCalls(send),
  };
}

const createPublicReads = (send: Send) => ({
  getAccount: (options?: CallOptions) =>
    send<GetAccountAnswer>(
      { method: 'GET', path: '/api/account/details', repeatable: true },
      options,
    ),
  listPublishedItems: (query: ListPublishedItemsQuery = {}, options?: CallOptions) =>
    send<ListPublishedItemsAnswer>(
      { method: 'GET', path: '/api/items/all', query, repeatable: true },
      options,
    ),
  getPublishedItem: (query: GetPublishedItemQuery, options?: CallOptions) =>
    send<GetPublishedItemAnswer>(
      { method: 'GET', path: '/api/items/item', query, repeatable: true },
      options,
    ),
});
