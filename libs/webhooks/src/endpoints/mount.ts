// Describes how a service mounts the webhook routes: their paths, their access policy and their principal.

import type { Answer } from '@counterfoil/kit/http/answers';
import { parseId } from '@counterfoil/kit/http/parameters';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { AttemptSender } from '../dispatcher/send-attempt.ts';
import type { ManageDeps, RecordChange } from './manage-endpoints.ts';

/** The person or program that makes the request. */
export interface WebhookPrincipal {
  readonly tenant: bigint;
  readonly record: RecordChange;
  /** Throws if the text is not the password of the signed-in person. */
  readonly requirePassword: (password: string) => Promise<unknown>;
}

export interface WebhookMount {
  /** The path of the list of endpoints. The path of one endpoint begins with it. */
  readonly path: string;
  /** The parameters of the path, without the id of the endpoint. */
  readonly params: Readonly<Record<string, TSchema>>;
  readonly describe: <Data extends TSchema>(
    summary: string,
    data: Data,
  ) => { readonly response: { 200: ReturnType<typeof Answer<Data>> } };
  readonly authorize: (role: 'owner' | 'member') => onRequestAsyncHookHandler;
  readonly principalOf: (request: FastifyRequest) => WebhookPrincipal;
}

export interface WebhookRouteDeps extends ManageDeps {
  readonly sender: AttemptSender;
  /** The types of events, with a description of when each is sent. */
  readonly eventTypes: Readonly<Record<string, string>>;
  /** Counts a test event. Throws if the tenant has sent too many test events. */
  readonly countTest: (tenant: bigint) => void;
}

export const oneParams = (mount: WebhookMount) =>
  Type.Object({ ...mount.params, webhook_id: Type.String({ description: 'The `id` of the endpoint.' }) });

/** Returns the key of the endpoint that the URL of the request names. */
export const keyOf = (mount: WebhookMount, request: FastifyRequest) => {
  const { webhook_id: text } = request.params as { webhook_id: string };
  return { tenant: mount.principalOf(request).tenant, id: parseId(text) };
};
