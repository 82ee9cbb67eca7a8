// Where a service has its webhooks: the address, who may come in, and in whose name.

import type { Answer } from '@counterfoil/kit/http/answers';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { AttemptSender } from '../dispatcher/send-attempt.ts';
import type { ManageDeps, NoteChange } from './manage-endpoints.ts';

export interface WebhookVisit {
  readonly tenant: bigint;
  readonly note: NoteChange;
  /** Throws where it is not the password of whoever is asking. */
  readonly askPassword: (password: string) => Promise<unknown>;
}

export interface WebhookPlace {
  /** Of the list; one endpoint is below it. */
  readonly path: string;
  /** What the address names besides. */
  readonly params: Readonly<Record<string, TSchema>>;
  readonly describe: <Data extends TSchema>(
    summary: string,
    data: Data,
  ) => { readonly response: { 200: ReturnType<typeof Answer<Data>> } };
  readonly admit: (role: 'owner' | 'member') => onRequestAsyncHookHandler;
  readonly visit: (request: FastifyRequest) => WebhookVisit;
}

export interface WebhookRouteDeps extends ManageDeps {
  readonly sender: AttemptSender;
  /** Type → when it is sent. */
  readonly eventTypes: Readonly<Record<string, string>>;
  /** Throws where a tenant sends tests without end. */
  readonly countTest: (tenant: bigint) => void;
}

const idForm = /^[1-9]\d{0,15}$/;

/** What is no id is nobody's; no row has the id 0. */
const parseEndpointId = (text: string): bigint => (idForm.test(text) ? BigInt(text) : 0n);

export const oneParams = (place: WebhookPlace) =>
  Type.Object({
    ...place.params,
    webhook_id: Type.String({ description: 'The `id` of the endpoint.' }),
  });

/** The endpoint in the address. */
export const keyOf = (place: WebhookPlace, request: FastifyRequest) => {
  const { webhook_id: text } = request.params as { webhook_id: string };
  return { tenant: place.visit(request).tenant, id: parseEndpointId(text) };
};
