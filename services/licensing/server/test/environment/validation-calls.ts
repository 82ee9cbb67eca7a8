// Builds requests to the validation endpoint, with a body in each supported format.
import type { Given } from './given.ts';

export interface Call {
  readonly headers?: Record<string, string | string[]>;
  readonly payload?: string | Buffer;
  readonly query?: string;
  readonly address?: string;
}

export const validate = (given: Pick<Given, 'app'>, call: Call = {}) =>
  given.app.inject({
    method: 'POST',
    url: `/api/purchases/validation${call.query === undefined ? '' : `?${call.query}`}`,
    headers: call.headers ?? {},
    remoteAddress: call.address ?? '10.1.1.1',
    ...(call.payload !== undefined && { payload: call.payload }),
  });

export const json = (body: unknown, headers: Record<string, string> = {}, query?: string): Call => ({
  headers: { 'content-type': 'application/json', ...headers },
  payload: typeof body === 'string' ? body : JSON.stringify(body),
  ...(query !== undefined && { query }),
});

export const form = (fields: Record<string, string> | [string, string][]): Call => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(fields).toString(),
});

export const multipart = (fields: readonly (readonly [string, string])[]): Call => ({
  headers: { 'content-type': 'multipart/form-data; boundary=----x7' },
  payload: `${fields
    .map(([name, value]) => `------x7\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}------x7--\r\n`,
});
