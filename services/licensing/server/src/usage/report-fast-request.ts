// Reports a request that the fast path answered to the usage sink.
import type { FastReply } from '@counterfoil/kit/http/transport/fast-path';
import type { ApiKey } from '../authentication/api-key.ts';
import type { UsageSink } from './usage-sink.ts';

export interface AnsweredRequest {
  readonly route: string;
  readonly apiKey: ApiKey;
  readonly reply: FastReply;
  readonly subject: { readonly itemId: bigint | undefined; readonly codeHint: string | undefined } | null;
  readonly status: number;
  readonly code: string | undefined;
}

export function reportFastRequest(
  deps: { readonly usage: UsageSink; readonly now: () => Date },
  { route, apiKey, reply, subject, status, code }: AnsweredRequest,
): void {
  deps.usage.onRequest({
    workspaceId: apiKey.workspaceId,
    apiKeyId: apiKey.id,
    address: reply.address,
    at: deps.now(),
    method: 'POST',
    route,
    status,
    code,
    durationMs: reply.elapsedMs,
    requestId: reply.requestId,
    itemId: subject?.itemId,
    codeHint: subject?.codeHint,
    // Requests with an Origin never use the fast path, so there is no page origin.
    pageOrigin: undefined,
  });
}
