// A callback to the wallet, and the meaning of its answer.
export type CallbackBody = {
  readonly action: string;
  readonly player_id: string;
  readonly transaction_id?: string;
  readonly round_id?: string;
  readonly [field: string]: unknown;
};

export interface Callback {
  readonly uid: string;
  readonly body: CallbackBody;
  /** The connection in whose dialect the callback is sent; undefined for the wallet's own protocol. */
  readonly connection?: string | undefined;
}

/** The reasons of a refusal that a player can understand. */
export type Refusal = 'insufficient_funds' | 'session_expired';

/** The result of a callback. `unknown`: the wallet may or may not have applied the callback. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly answer: WalletAnswer }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly answer: WalletAnswer;
      readonly refusal?: Refusal;
      /**
       * False if the wallet refused the credentials, for example directly after the package was registered
       * with new credentials. The callback is then sent again later, because wins must be delivered.
       */
      readonly isFinal: boolean;
    }
  | { readonly kind: 'unknown'; readonly status: number | null; readonly reason: string };

interface WalletAnswer {
  readonly code: string | null;
  readonly result: string | null;
  readonly balance: number | null;
}

/**
 * Classifies an answer in the wallet's own protocol. The outcome is unknown if the status is 3xx, 5xx, 408 or
 * 429, if `parseJson` cannot read the body, or if an error is marked as retryable.
 */
export function classifyAnswer(status: number, text: string): Verdict {
  const body = parseJson(text);
  if (!body || status >= 500 || (status >= 300 && status < 400)) {
    return { kind: 'unknown', status, reason: body ? 'no answer of the wallet' : 'not readable' };
  }
  if (status === 408 || status === 429 || (status >= 400 && body.retryable === true)) {
    return { kind: 'unknown', status, reason: String(body.code ?? 'later') };
  }
  const data = (body.data ?? {}) as Record<string, unknown>;
  const balance = body.balance ?? data.balance;
  const answer: WalletAnswer = {
    code: typeof body.code === 'string' ? body.code : null,
    result: typeof data.result === 'string' ? data.result : null,
    balance: typeof balance === 'number' ? balance : null,
  };
  if (status < 300) return { kind: 'accepted', answer };
  const refusal = refusals.find((each) => each === answer.code);
  const isFinal = status !== 401 && status !== 403;
  return { kind: 'refused', status, answer, isFinal, ...(refusal && { refusal }) };
}

const refusals: readonly Refusal[] = ['insufficient_funds', 'session_expired'];

/** Parses a JSON object or list. Returns undefined for any other text. */
export function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
