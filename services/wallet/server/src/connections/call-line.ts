// A line of the log of provider calls: the original body, its meaning and the answer.
import { cleanText } from '../logs/log-line.ts';
import type { CallResult, ProviderCall, ProviderRequest } from './dialects/dialect.ts';
import type { FoundConnection } from './find-connection.ts';

export interface ProviderCallLine {
  readonly packageId: number;
  readonly at: Date;
  readonly connectionId: string;
  readonly requestId: string;
  readonly address: string;
  readonly operation: string;
  readonly playerId: string;
  readonly transactionIds: readonly string[];
  readonly roundId: string;
  readonly status: number;
  readonly code: string;
  /** The call and its result as JSON; empty if the call could not be read. */
  readonly meaning: string;
  readonly body: string;
}

export interface AnsweredCall {
  readonly found: FoundConnection;
  readonly request: ProviderRequest;
  readonly requestId: string;
  readonly address: string;
  readonly status: number;
  /** The reason why the call was not carried out; empty if it was. */
  readonly code: string;
  readonly call: ProviderCall | undefined;
  readonly result: CallResult | undefined;
}

const maxText = 256;
const maxBody = 4096;

/** Called when lines are written, once per second, and not while a request is answered. */
export function makeCallLine(answered: AnsweredCall, at: Date): ProviderCallLine {
  const { found, request, call, result } = answered;
  const { id: connectionId, packageId } = found.connection;
  const isPlay = call?.kind === 'play';
  return {
    packageId,
    at,
    connectionId,
    requestId: answered.requestId,
    address: cleanText(answered.address, maxText),
    operation: cleanText(`${request.method} ${request.path || '/'}`, maxText) || request.method,
    playerId: call && 'playerId' in call ? call.playerId : '',
    transactionIds: isPlay
      ? call.legs.flatMap((leg) => (leg.type === 'end_round' ? [] : [leg.transactionId]))
      : [],
    roundId: (isPlay || call?.kind === 'round') && call.roundId ? call.roundId : '',
    status: answered.status,
    code: answered.code,
    meaning: call ? writeMeaning(call, result) : '',
    body: redact(request.body),
  };
}

/** Amounts are whole minor units and keep all their digits. Tokens of sessions are left out. */
const writeMeaning = (call: ProviderCall, result: CallResult | undefined): string =>
  JSON.stringify({ call, result }, (name, value: unknown) => {
    if (name === 'token' || name === 'session') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });

/** Replaces the values of fields that may be secrets, in JSON and in forms. */
function redact(body: Buffer): string {
  const text = body.toString('utf8', 0, maxBody).replaceAll('\0', '');
  return text
    .replace(/("(?:[^"]*(?:token|secret|key|sign)[^"]*)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi, '$1"…"')
    .replace(/((?:^|&)[^=&]*(?:token|secret|key|sign)[^=&]*=)[^&]*/gi, '$1…');
}
