// The usage sink gets an event for each request and each validation. No answer waits for the sink.
import type { NewRequest } from '../request-log/logged-request.ts';

export interface RequestEvent extends NewRequest {
  readonly workspaceId: bigint;
}

/** The result of a validation. It is a separate event, because results are counted per item and hour. */
export interface ValidationEvent {
  readonly workspaceId: bigint;
  readonly apiKeyId: bigint;
  readonly address: string;
  readonly at: Date;
  /** `valid`, or the error's code: `purchase_not_found`, `purchase_refunded`, … */
  readonly outcome: string;
  readonly itemId: bigint | undefined;
  readonly purchaseId: bigint | undefined;
  readonly codeHint: string;
}

/** A code that the service refused in a request without an API key. */
export interface RefusedCodeEvent {
  readonly workspaceId: bigint;
  readonly address: string;
  readonly at: Date;
  readonly codeHint: string;
}

/** The functions must return at once and never throw; the sink writes in the background. */
export interface UsageSink {
  onRequest(event: RequestEvent): void;
  onValidation(event: ValidationEvent): void;
  onRefusedCode(event: RefusedCodeEvent): void;
}

export const noUsageSink: UsageSink = {
  onRequest: () => {},
  onValidation: () => {},
  onRefusedCode: () => {},
};
