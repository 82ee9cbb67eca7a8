// Asks for signed answers, and refuses verdicts that the service did not sign (RFC 9421).
import { fromBase64, joinBytes, toBase64Url, toBytes } from '../../sdk-shared/src/bytes.ts';
import { findKey, isSignedBy, type PublicKeys } from './ed25519.ts';

/** The operations whose answers the service signs. */
const signed = /\/api\/(?:purchases\/validation|v1\/(?:activations|activations\/release|licences))$/;

const parameters =
  /^sig=(\("@status" "content-digest" "x-nonce";req\);created=\d{1,12};keyid="([\w-]{43})";alg="ed25519";tag="counterfoil-answer")$/;

/** Whether an answer with this status must be signed: a success, or a verdict on the code or the host. */
const isVerdict = (status: number) => (status >= 200 && status < 300) || status === 404 || status === 409;

/** The maximum size of an answer to these operations, in bytes. */
const maxBytes = 1024 * 1024;

/** Whether the answer belongs to the nonce and was signed with one of the keys. */
async function isSignedAnswer(
  answered: { readonly status: number; readonly headers: Headers; readonly body: Uint8Array },
  { nonce, keys }: { readonly nonce: string; readonly keys: PublicKeys },
): Promise<boolean> {
  const { status, headers } = answered;
  const [, input = '', kid] = parameters.exec(headers.get('signature-input') ?? '') ?? [];
  const [, text = ''] = /^sig=:([^:]*):$/.exec(headers.get('signature') ?? '') ?? [];
  const signature = fromBase64(text);
  const key = findKey(keys, kid);
  if (!key || !signature) return false;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', joinBytes(answered.body)));
  const digest = `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
  const content =
    `"@status": ${status}\n"content-digest": ${digest}\n` +
    `"x-nonce";req: ${nonce}\n"@signature-params": ${input}`;
  return await isSignedBy(key, signature, toBytes(content));
}

/**
 * Wraps `fetch`. Each call whose answer the service can sign gets a new nonce. If the verdict has no genuine
 * signature, the wrapper replaces it by the error `signature_invalid`, which says nothing about the code.
 */
export function createSignedFetch(keys: PublicKeys, wrapped: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!signed.test(url)) return await wrapped(input, init);
    const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(24)));
    const headers = new Headers(init?.headers);
    headers.set('x-nonce', nonce);
    const response = await wrapped(input, { ...init, headers });
    if (!isVerdict(response.status)) return response;
    const body = await readBody(response);
    const { status } = response;
    const isGenuine =
      body && (await isSignedAnswer({ status, headers: response.headers, body }, { nonce, keys }));
    const isExpected = isGenuine && isAbout(init?.body, new TextDecoder().decode(body));
    return isExpected ? new Response(body, { status, headers: response.headers }) : makeRefusal();
  };
}

/**
 * Whether a verdict is about the code that the client sent. A verdict that contains no code passes this
 * check. Without the check, a host between the client and the service could replace the code in the request
 * by a valid code. The verdict about the valid code would have a genuine signature.
 */
function isAbout(sent: unknown, text: string): boolean {
  const { data } = JSON.parse(text) as { data?: { purchase?: { purchase_code?: string } } };
  const answered = data?.purchase?.purchase_code;
  if (answered === undefined || typeof sent !== 'string') return true;
  const { purchase_code: asked } = JSON.parse(sent) as { purchase_code?: string };
  return normalise(answered) === normalise(String(asked));
}

const normalise = (code: string) => code.trim().toLowerCase().toUpperCase().toLowerCase();

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  return joinBytes(...parts);
}

const makeRefusal = () =>
  Response.json(
    {
      status: 'error',
      code: 'signature_invalid',
      msg: 'The answer is not signed with a known key of the service.',
      retryable: true,
    },
    { status: 502 },
  );
