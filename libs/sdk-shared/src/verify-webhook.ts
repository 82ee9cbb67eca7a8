// Verifies the signature and the time of a webhook by the Standard Webhooks specification.
import { type Bytes, fromBase64, joinBytes, toBytes } from './bytes.ts';

/** The allowed clock difference. A recorded delivery can be replayed within this time. */
const toleranceSeconds = 300;

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'headers_missing' | 'signature_invalid' | 'timestamp_out_of_range' | 'not_json';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The event in the body of a webhook. */
export interface WebhookEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Webhook<Event = WebhookEvent> {
  /** The id of the event. Every delivery of an event has the same id. Store it to recognise repeats. */
  readonly id: string;
  readonly sentAt: Date;
  readonly event: Event;
}

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook. `body` must be the received bytes: a body that was parsed and serialised again has a
 * different signature. Pass both secrets during a rotation. Throws a `WebhookError` if the webhook is not
 * genuine.
 */
export async function verifyWebhook<Event = WebhookEvent>(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: { readonly now?: Date } = {},
): Promise<Webhook<Event>> {
  const keys = await Promise.all([secret].flat().map(importSecret));
  const read = (name: string) => readHeader(headers, name);
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp');
  const signatures = read('webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookError('headers_missing', 'A webhook-… header is missing.');
  }
  const content = joinBytes(toBytes(`${id}.${timestamp}.`), toBytes(body));
  if (!(await isSigned(keys, signatures, content))) {
    throw new WebhookError('signature_invalid', 'No signature matches the secret.');
  }
  const now = (options.now ?? new Date()).getTime() / 1000;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError('timestamp_out_of_range', 'The timestamp is too old or in the future.');
  }
  return { id, sentAt: new Date(Number(timestamp) * 1000), event: parse(body) as Event };
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function importSecret(secret: string): Promise<Key> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : undefined;
  if (!bytes || bytes.byteLength < 16) {
    throw new TypeError('A webhook secret is whsec_ followed by base64 of at least 16 bytes.');
  }
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/**
 * Whether one of the signatures was made with one of the keys. `crypto.subtle.verify` compares in constant
 * time.
 */
async function isSigned(keys: readonly Key[], signatures: string, content: Bytes) {
  const given = signatures
    .split(' ')
    .slice(0, 16)
    .flatMap((each) => (each.startsWith('v1,') ? (fromBase64(each.slice(3)) ?? []) : []));
  for (const key of keys) {
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  const [value] = [entry?.[1]].flat();
  return typeof value === 'string' ? value : undefined;
}

function parse(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new WebhookError('not_json', 'The body is genuine, but it is not JSON.');
  }
}
