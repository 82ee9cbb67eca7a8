// The events by which requests and validations are reported; answers never wait for them.

/** An answered request with an API key; holds neither the key nor the code. */
export interface RequestEvent {
  readonly workspaceId: bigint;
  readonly apiKeyId: bigint;
  readonly address: string;
  readonly at: Date;
  readonly method: string;
  /** The pattern of the route, never the requested URL, which may hold a key. */
  readonly route: string;
  readonly status: number;
  /** The code of the error; undefined for a success. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly requestId: string;
  /** The item of the request, if one was found. */
  readonly itemId: bigint | undefined;
  /** The last four characters of the purchase code. */
  readonly codeHint: string | undefined;
  /** The Origin of a web page that sent a secret key; undefined for every other request. */
  readonly pageOrigin: string | undefined;
}

/** The result of a validation, reported in addition to its request and counted per item and key. */
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

/** Must return at once and never throw; it writes in the background. */
export interface UsageSink {
  onRequest(event: RequestEvent): void;
  onValidation(event: ValidationEvent): void;
}

export const noUsageSink: UsageSink = { onRequest: () => {}, onValidation: () => {} };
