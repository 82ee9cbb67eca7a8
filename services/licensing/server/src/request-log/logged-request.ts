// A line of the request log, and the fields that the panel shows.
import { Type } from 'typebox';
import { NamedObject } from '../wire/input.ts';

/** A logged request. The line contains neither the API key nor the whole purchase code. */
export interface NewRequest {
  readonly at: Date;
  readonly apiKeyId: bigint;
  readonly requestId: string;
  readonly address: string;
  readonly method: string;
  /** The pattern of the route, never the requested URL, which may contain a key. */
  readonly route: string;
  readonly status: number;
  /** The code of the error; undefined for a success. */
  readonly code: string | undefined;
  readonly durationMs: number;
  /** The item of the request; undefined if no item was found. */
  readonly itemId: bigint | undefined;
  /** The last four characters of the purchase code. */
  readonly codeHint: string | undefined;
  /** The Origin of a web page that sent a secret key; undefined for every other request. */
  readonly pageOrigin: string | undefined;
}

export interface LoggedRequest extends NewRequest {
  readonly id: bigint;
  /** Whether the request had a test key. */
  readonly isTest: boolean;
}

export const LoggedRequestAnswer = NamedObject('LoggedRequest', {
  id: Type.Integer(),
  at: Type.String({ format: 'date-time', description: 'With milliseconds.' }),
  api_key_id: Type.Integer(),
  mode: Type.Enum(['live', 'test'], { description: '`test` if the request had a test key.' }),
  request_id: Type.String(),
  address: Type.String(),
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: Type.Optional(Type.String({ description: "The error's code." })),
  duration_ms: Type.Number(),
  item_id: Type.Optional(Type.Integer()),
  code_hint: Type.Optional(Type.String({ description: 'The last characters of the purchase code.' })),
  page_origin: Type.Optional(
    Type.String({ description: 'The Origin of a web page that sent a secret key.' }),
  ),
});

export const presentLoggedRequest = (line: LoggedRequest) => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  api_key_id: Number(line.apiKeyId),
  mode: line.isTest ? ('test' as const) : ('live' as const),
  request_id: line.requestId,
  address: line.address,
  method: line.method,
  route: line.route,
  status: line.status,
  ...(line.code !== undefined && { code: line.code }),
  duration_ms: Math.round(line.durationMs * 100) / 100,
  ...(line.itemId !== undefined && { item_id: Number(line.itemId) }),
  ...(line.codeHint !== undefined && { code_hint: line.codeHint }),
  ...(line.pageOrigin !== undefined && { page_origin: line.pageOrigin }),
});
