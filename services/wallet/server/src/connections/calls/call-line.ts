// A line of the log of provider calls: the body without its secrets, the meaning of the call, and the status
// of the answer.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { quoteText } from '@counterfoil/kit/http/read-json';
import { Type } from 'typebox';
import { cleanText } from '../../logs/log-line.ts';
import { ConnectionMark, markConnection, type NamedConnection } from '../connection.ts';
import {
  type CallResult,
  earlyFailures,
  failureCodes,
  type PlayCall,
  type ProviderCall,
  type ProviderRequest,
} from '../dialects/dialect.ts';
import type { FoundConnection } from '../find-connection.ts';
import { isSessionField, redactBody } from './redact-call.ts';

/** The codes of requests that the HTTP parser or the router refused. */
const routerCodes = [
  'method_not_allowed',
  'malformed_request',
  'uri_too_long',
  'headers_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'request_timeout',
] as const;

/** Every code of a call that was not carried out. The panel has a text for each code. */
export const callCodes = [
  ...new Set([
    ...failureCodes,
    ...earlyFailures,
    ...routerCodes,
    ...(['invalid_parameter', 'address_not_allowed', 'package_pending', 'package_suspended'] as const),
  ]),
];
export type CallCode = (typeof callCodes)[number];

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
  /** The call and its result as JSON; empty if the call could not be parsed. */
  readonly meaning: string;
  readonly body: string;
}

export interface AnsweredCall {
  readonly found: FoundConnection;
  readonly request: ProviderRequest;
  readonly requestId: string;
  readonly address: string;
  readonly status: number;
  /** The reason why the call was not carried out; empty if the call was carried out. */
  readonly code: CallCode | '';
  readonly call: ProviderCall | undefined;
  readonly result: CallResult | undefined;
}

export interface ListedCall extends ProviderCallLine {
  readonly id: bigint;
}

const maxText = 256;
const maxBody = 4096;

/** Makes a line of the log. */
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
    playerId: result?.playerId ?? (call && 'playerId' in call ? call.playerId : ''),
    transactionIds: isPlay
      ? call.legs.flatMap((leg) => (leg.type === 'end_round' ? [] : [leg.transactionId]))
      : [],
    roundId: (isPlay || call?.kind === 'round') && call.roundId ? call.roundId : '',
    status: answered.status,
    code: answered.code,
    meaning: call ? writeMeaning(call, result) : '',
    body: redactBody(request.body.toString('utf8', 0, maxBody).replaceAll('\0', '')),
  };
}

/**
 * Writes a call and its result as JSON. Amounts are whole minor units with all their digits. Session tokens
 * are left out.
 */
export const writeMeaning = (call: ProviderCall, result: CallResult | undefined): string =>
  `{"call":${writeJson(call)}${result ? `,"result":${writeJson(result)}` : ''}}`;

/** Writes JSON. `JSON.stringify` with a function that replaces values takes several times as long. */
function writeJson(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value);
  const fields = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const name in fields) {
    const each = fields[name];
    if (each === undefined || isSessionField(name)) continue;
    text += `${text === '' ? '' : ','}"${name}":${writeJson(each)}`;
  }
  return `{${text}}`;
}

/**
 * Reads the JSON of `writeMeaning` as `{ call, result }`; null if the provider's call could not be parsed.
 */
export const readMeaning = (meaning: string): unknown => (meaning === '' ? null : JSON.parse(meaning));

/** Lists the keys of the call's transactions with this id. The journal stores the hashes of these keys. */
export function listKeysOfCall({ meaning }: ListedCall, transactionId: string): string[] {
  const { call } = (readMeaning(meaning) ?? {}) as { call?: Pick<ProviderCall, 'kind'> & Partial<PlayCall> };
  const legs = call?.kind === 'play' ? (call.legs ?? []) : [];
  return legs.flatMap((leg) =>
    leg.type !== 'end_round' && leg.transactionId === transactionId ? [leg.key] : [],
  );
}

const TextOrNull = Nullable(Type.String());

/** The meaning of a call, as the log and the answer to a test call show it. */
export const Meaning = Type.Unknown({
  description:
    "The call in the wallet's own terms (`call`) and its `result`. Amounts are whole minor units. " +
    'Null if the call could not be read.',
});

export const CallAnswer = named(
  'ProviderCall',
  Type.Object({
    id: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    operation: Type.String({
      description: 'The method and the path after the address of the connection.',
      examples: ['POST /betwin'],
    }),
    player_id: TextOrNull,
    transaction_ids: Type.Array(Type.String(), {
      description: "The provider's ids of the transactions that the call contains.",
    }),
    round_id: TextOrNull,
    status: Type.Integer(),
    code: Nullable(Type.String(), {
      description: 'Why the call was not carried out, in the words of the wallet; null if it was.',
    }),
    body: Type.String({
      description: 'The body as it was sent, up to 4,096 bytes. Values that may be secrets are replaced.',
    }),
    meaning: Meaning,
    address: Type.String(),
    request_id: Type.String(),
  }),
);

/** A call together with the name of its connection, for lists of calls of several connections. */
export const NamedCall = named(
  'NamedProviderCall',
  Type.Object({ connection: ConnectionMark, ...CallAnswer.properties }),
);

export const presentCall = (line: ListedCall) => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  operation: line.operation,
  player_id: line.playerId || null,
  transaction_ids: [...line.transactionIds],
  round_id: line.roundId || null,
  status: line.status,
  code: line.code || null,
  body: line.body,
  meaning: readMeaning(line.meaning),
  address: line.address,
  request_id: line.requestId,
});

export const presentNamedCall = (line: ListedCall, connections: readonly NamedConnection[]) => ({
  ...markConnection(connections.find(({ id }) => id === line.connectionId)),
  ...presentCall(line),
});
