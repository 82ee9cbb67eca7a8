// A client of a dialect: writes the stand-in's callbacks as calls of another protocol, and reads the answers.
import type { Connection } from '../../connections/connections.ts';
import { type CallbackBody, parseJson, type Refusal, type Verdict } from '../callback.ts';

/** The parts that differ for each attempt to send a call. */
export interface Stamp {
  readonly nowMs: number;
  /** A random text that no other attempt has. */
  readonly nonce: string;
}

export interface DialectRequest {
  readonly method: 'GET' | 'POST';
  /** The path and query, which are appended to the address of the connection. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface DialectClient<C extends Connection = Connection> {
  /** Whether the wallet pays a win that arrives before its bet. If false, the wallet refuses this win. */
  readonly paysWinsWithoutBet: boolean;
  /**
   * Whether a separate call ends a round in this dialect. If true, a round without a payout has no win call.
   * If false, a round without a payout has a win call of 0, and this call ends the round.
   */
  readonly endsRoundsByCall: boolean;
  write(connection: C, body: CallbackBody, stamp: Stamp): DialectRequest;
  read(status: number, text: string): Verdict;
}

/** The decimal text of an amount in main units, with two to eight decimals. */
export const formatAmount = (amount: unknown): string =>
  Number(amount)
    .toFixed(8)
    .replace(/(\.\d\d\d*?)0+$/, '$1');

export const readAmount = (value: unknown): number | null => {
  const amount = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(amount) ? amount : null;
};

/**
 * Parses the JSON object of an answer. Returns undefined if the status or the body leaves open whether the
 * call was carried out.
 */
export function readObject(status: number, text: string): Record<string, unknown> | undefined {
  return status >= 500 || (status >= 300 && status < 400) ? undefined : parseJson(text);
}

export const unreadable = (status: number): Verdict => ({
  kind: 'unknown',
  status,
  reason: status >= 500 ? 'failure of the wallet' : 'not readable',
});

export const accepted = (balance: unknown): Verdict => ({
  kind: 'accepted',
  answer: { code: null, result: null, balance: readAmount(balance) },
});

export const refused = (
  status: number,
  given: { code: string; balance?: unknown; refusal?: Refusal | undefined; isFinal?: boolean },
): Verdict => {
  const { code, balance, refusal, isFinal = true } = given;
  const answer = { code, result: null, balance: readAmount(balance) };
  return { kind: 'refused', status, answer, isFinal, ...(refusal && { refusal }) };
};

/** Returns the value if it is an object, otherwise an empty object. */
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
