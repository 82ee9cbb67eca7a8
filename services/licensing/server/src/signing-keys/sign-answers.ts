// Adds an RFC 9421 signature to the answer if the request has a nonce, so that another host cannot fake an
// answer.
import { createHash, sign } from 'node:crypto';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Type } from 'typebox';
import { refuseField } from '../wire/refusals.ts';
import type { Signer } from './signing-key.ts';
import type { SigningKeyFinder } from './signing-key-finder.ts';

const nonceForm = /^[\x21-\x7e]{16,128}$/;

/** The headers of a request whose answer can be signed. `checkNonce` checks the form of the nonce. */
export const NonceHeader = Type.Object({
  'x-nonce': Type.Optional(
    shownAs(
      Type.String({
        description:
          '16 to 128 visible ASCII characters, new for each request. The answer is then signed (RFC 9421).',
      }),
      { type: 'string', minLength: 16, maxLength: 128, pattern: '^[!-~]{16,128}$' },
    ),
  ),
});

const findNonce = ({ headers }: FastifyRequest): string | undefined => {
  const nonce = headers['x-nonce'];
  return typeof nonce === 'string' ? nonce : undefined;
};

/** Signs the body and the status of an answer. Returns the headers of RFC 9421 and RFC 9530. */
export function signAnswer(
  { kid, privateKey }: Signer,
  answered: { readonly status: number; readonly body: string; readonly nonce: string; readonly now: Date },
): Record<string, string> {
  const digest = `sha-256=:${createHash('sha256').update(answered.body).digest('base64')}:`;
  const created = Math.floor(answered.now.getTime() / 1000);
  const parameters =
    `("@status" "content-digest" "x-nonce";req);created=${created};keyid="${kid}";` +
    'alg="ed25519";tag="counterfoil-answer"';
  const content =
    `"@status": ${answered.status}\n"content-digest": ${digest}\n` +
    `"x-nonce";req: ${answered.nonce}\n"@signature-params": ${parameters}`;
  const signature = sign(null, Buffer.from(content), privateKey).toString('base64');
  return {
    'content-digest': digest,
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${signature}:`,
  };
}

/**
 * Makes the hooks of a route whose answers can be signed. If the request has no nonce, the hooks change
 * nothing. An answer stays unsigned if no API key was authenticated or if the workspace has no signing key.
 */
export function createAnswerSigning(deps: { signingKeys: SigningKeyFinder; now: () => Date }) {
  const addSignature = async (request: FastifyRequest, reply: FastifyReply, body: string, nonce: string) => {
    const now = deps.now();
    const signer = (await deps.signingKeys.get(request.apiKey.workspaceId))?.findSigner(now);
    if (signer) reply.headers(signAnswer(signer, { status: reply.statusCode, body, nonce, now }));
  };
  return {
    checkNonce: (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
      const nonce = findNonce(request);
      if (nonce === undefined || nonceForm.test(nonce)) done();
      else done(refuseField('x-nonce', 'must have 16 to 128 visible ASCII characters.'));
    },
    onSend: (
      request: FastifyRequest,
      reply: FastifyReply,
      payload: unknown,
      done: (error?: Error | null, payload?: unknown) => void,
    ): void => {
      const nonce = findNonce(request);
      const isSigned = nonce !== undefined && nonceForm.test(nonce) && request.apiKey !== undefined;
      if (!isSigned || typeof payload !== 'string') done(null, payload);
      // If the signing keys cannot be loaded, the answer is sent without a signature.
      else
        addSignature(request, reply, payload, nonce).then(
          () => done(null, payload),
          () => done(null, payload),
        );
    },
  };
}

export type AnswerSigning = ReturnType<typeof createAnswerSigning>;
