// What is known of a callback while it is answered, and what of it goes to the log.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerPackage } from '../packages/customer-package.ts';
import type { CallbackLine } from './callback-line.ts';
import { describeAttempt } from './describe-attempt.ts';
import type { AnswerSeal } from './security/open-callback.ts';

declare module 'fastify' {
  interface FastifyRequest {
    callback: CallbackCall | undefined;
  }
}

export interface CallbackCall {
  readonly package: CustomerPackage;
  seal: AnswerSeal | undefined;
  /** The money as the ledger last told it, for errors. */
  credit: bigint | undefined;
  balance: bigint | undefined;
  conflict: string | undefined;
  duplicate: boolean;
  result: string | undefined;
}

export const startCall = (found: CustomerPackage): CallbackCall => ({
  package: found,
  seal: undefined,
  credit: undefined,
  balance: undefined,
  conflict: undefined,
  duplicate: false,
  result: undefined,
});

export function getCall(request: FastifyRequest): CallbackCall {
  if (!request.callback) throw new Error('a callback was not identified');
  return request.callback;
}

export function describeCall(
  request: FastifyRequest,
  reply: FastifyReply,
  at: Date,
): CallbackLine | undefined {
  const { callback: call, customerPackage, id: requestId, ip: address, body } = request;
  if (!call || !customerPackage) return undefined;
  return describeAttempt({
    packageId: customerPackage.id,
    ...{ at, requestId, address, body },
    status: reply.statusCode,
    code: reply.failureCode ?? undefined,
    duplicate: call.duplicate,
    result: call.result,
    conflict: call.conflict,
  });
}
