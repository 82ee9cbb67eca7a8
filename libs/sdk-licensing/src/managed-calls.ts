// The reads and writes of the client: which writes are retried, and which amounts are sent as numbers.
import { writeAmounts } from '../../sdk-shared/src/amount.ts';
import type { Call, CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { amountFields } from './wire.ts';

export type Id = number | string;

/**
 * Whether a call is retried if its outcome is unknown. `again` calls are retried. `once` calls are not
 * retried, because the service might apply the change twice.
 */
export type Repeat = 'again' | 'once';

export interface IssueOptions extends CallOptions {
  /**
   * The key by which the service recognises repeats of the call. By default the client generates a key. The
   * errors of the call contain the key.
   */
  readonly idempotencyKey?: string;
}

export function createCalls(send: Send) {
  const read = <Answer>(path: string, query: object = {}, options?: CallOptions) =>
    send<Answer>({ method: 'GET', path, query, repeatable: true }, options);
  const write = async <Answer>(
    [method, path, repeat]: readonly [Call['method'], path: string, Repeat],
    json: object | undefined,
    options: IssueOptions = {},
  ) => {
    const { idempotencyKey, ...rest } = options;
    const call: Call = {
      method,
      path,
      repeatable: repeat === 'again',
      ...(json && { json: writeAmounts(json, amountFields) }),
      ...(idempotencyKey !== undefined && { idempotencyKey, headers: { 'idempotency-key': idempotencyKey } }),
    };
    return await send<Answer>(call, rest);
  };
  /** Sends a write with an idempotency key. The service applies one write per key, so the call is retried. */
  const writeByKey = <Answer>(path: string, json: object | undefined, options: IssueOptions) => {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return write<Answer>(['POST', path, 'again'], json, { ...options, idempotencyKey });
  };
  return { read, write, writeByKey };
}

/** Encodes one segment of a path. */
export const step = (part: Id) => encodeURIComponent(String(part));
