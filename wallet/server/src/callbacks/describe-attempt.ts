// What a callback leaves in the log: nothing where the journal has it, else how it came and went.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallbackLine } from './callback-line.ts';
import { cleanText } from './callback-line.ts';

/** A first delivery stands in the journal, a refusal for want of money or room included. */
export function describeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  at: Date,
): CallbackLine | undefined {
  const { callback: call, customerPackage } = request;
  if (!call || !customerPackage) return undefined;
  const { statusCode: status, failureCode } = reply;
  if (!call.duplicate && (status === 200 || status === 422)) return undefined;
  const body = readFields(request.body);
  return {
    packageId: customerPackage.id,
    at,
    requestId: request.id,
    address: cleanText(request.ip),
    action: cleanText(body.action),
    transactionId: cleanText(body.transaction_id),
    playerId: cleanText(body.player_id),
    roundId: cleanText(body.round_id),
    status,
    code: failureCode ?? '',
    result: call.result ?? '',
    field: call.conflict ?? '',
  };
}

/** Of a body that was never read there are only bytes. */
const readFields = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
    ? (body as Record<string, unknown>)
    : {};
