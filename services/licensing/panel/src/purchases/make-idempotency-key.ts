// Makes the Idempotency-Key by which the service knows a repeated request.

/**
 * Random and without `crypto.randomUUID`, which browsers have on https alone. `content` is for callers that
 * want another key for another content.
 */
export function makeIdempotencyKey(_content?: object): string {
  const parts = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(36)).join('');
}
