// Sends JSON requests to the service that served this page. An error response throws an ApiProblem.
import { language } from '../language.ts';
import { ApiProblem } from './problem.ts';

/** The query parameters. A parameter with several values is sent once for each value. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface RequestOptions {
  readonly query?: Query;
  /**
   * The body, which is sent as JSON. The service refuses other content types, because a form on another site
   * can send some of them. A form cannot send JSON.
   */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Returns random hexadecimal digits. `crypto.randomUUID` does not exist on pages that came over plain HTTP.
 */
export const makeRandomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

export function writeQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value ?? '')]),
  );
  const given = pairs.filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

/** The seconds to wait, or undefined if the response has no Retry-After header. */
export const readRetryAfter = (header: string | null): number | undefined => Number(header) || undefined;

async function readProblem(response: Response): Promise<ApiProblem> {
  const body = await response.json().catch(() => ({}));
  return new ApiProblem(response.status, body, readRetryAfter(response.headers.get('retry-after')));
}

async function request<Data>(method: string, path: string, options: RequestOptions = {}): Promise<Data> {
  const response = await fetch(`${path}${writeQuery(options.query)}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      // The service writes its mails in this language. The language of the panel may differ from the
      // browser's language.
      'accept-language': language,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    ...(options.signal && { signal: options.signal }),
  });
  if (!response.ok) throw await readProblem(response);
  const { data } = (await response.json()) as { data: Data };
  return data;
}

export const get = <Data>(path: string, options?: RequestOptions) => request<Data>('GET', path, options);
export const post = <Data>(path: string, body: unknown = {}, options?: RequestOptions) =>
  request<Data>('POST', path, { ...options, body });
export const patch = <Data>(path: string, body: unknown) => request<Data>('PATCH', path, { body });
export const put = <Data>(path: string, body: unknown) => request<Data>('PUT', path, { body });
export const remove = <Data>(path: string, body?: unknown) =>
  request<Data>('DELETE', path, body === undefined ? {} : { body });
