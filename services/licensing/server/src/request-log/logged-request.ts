// A line of the request log, and its answer in the panel.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

/** A stored line. */
export interface StoredRequest {
  readonly id: bigint;
  readonly at: Date;
  readonly apiKeyId: bigint;
  readonly requestId: string;
  readonly address: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** The error's code; undefined for a success. */
  readonly code: string | undefined;
  readonly durationMs: number;
  readonly itemId: bigint | undefined;
  readonly codeHint: string | undefined;
  /** The Origin of a web page that sent a secret key. */
  readonly pageOrigin: string | undefined;
}

export interface LoggedRequest extends StoredRequest {
  /** Whether the request had a test key. */
  readonly isTest: boolean;
}

export const LoggedRequestAnswer = named(
  'LoggedRequest',
  Type.Object({
    id: Type.Integer(),
    at: Type.String({ format: 'date-time', description: 'To the millisecond.' }),
    api_key_id: Type.Integer(),
    mode: Type.Enum(['live', 'test'], { description: 'Whether it was made with a test key.' }),
    request_id: Type.String(),
    address: Type.String(),
    method: Type.String(),
    route: Type.String(),
    status: Type.Integer(),
    code: Type.Optional(Type.String({ description: "The error's code." })),
    duration_ms: Type.Number(),
    item_id: Type.Optional(Type.Integer()),
    code_hint: Type.Optional(Type.String({ description: 'The end of the purchase code.' })),
    page_origin: Type.Optional(
      Type.String({ description: 'The site of a web page that sent a secret key.' }),
    ),
  }),
);

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
