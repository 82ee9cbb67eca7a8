// Where requests leave their trace: an in-memory event that the answer never waits for.

/** One answered request under an API key; holds no key and no code. */
export interface RequestEvent {
  readonly workspaceId: bigint;
  readonly apiKeyId: bigint;
  readonly address: string;
  readonly at: Date;
  readonly method: string;
  /** The route's pattern, never the address as sent: that may hold a key. */
  readonly route: string;
  readonly status: number;
  /** The error's stable code; absent where the answer was a success. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly requestId: string;
  /** The item that the request was about, where one was found. */
  readonly itemId: bigint | undefined;
  /** The last four characters of the purchase code that was asked for. */
  readonly codeHint: string | undefined;
  /** The Origin of a web page that sent a secret key; undefined for every other request. */
  readonly pageOrigin: string | undefined;
}

/** The result of one validation, told beside its request: counted per item and key. */
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

/** Must return at once and never throw; whatever it writes, it writes in the background. */
export interface UsageSink {
  onRequest(event: RequestEvent): void;
  onValidation(event: ValidationEvent): void;
}

export const noUsageSink: UsageSink = { onRequest: () => {}, onValidation: () => {} };
