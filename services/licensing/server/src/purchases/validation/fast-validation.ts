// The fast path of validation: plain JSON bodies whose key and seller are cached.
import { readPlainObject } from '@counterfoil/kit/http/read-json';
import type { FastReply, FastRoute } from '@counterfoil/kit/http/transport/fast-path';
import { type ApiKey, getKeyState } from '../../authentication/api-key.ts';
import type { ApiKeyFinder } from '../../authentication/find-api-key.ts';
import { softenStatus } from '../../authentication/soften-refusal.ts';
import type { SellerFinder } from '../../workspaces/workspace-cache.ts';
import { maxCodeLength } from '../code.ts';
import { type AnswerDeps, type AnsweredQuestion, answerValidation } from './answer-validation.ts';

export interface FastValidationDeps extends AnswerDeps {
  readonly apiKeys: ApiKeyFinder;
  readonly sellers: SellerFinder;
}

const path = '/api/purchases/validation';

export const fastValidation = (deps: FastValidationDeps): FastRoute => ({
  path,
  authorize: ({ headers }) => {
    const inHeader = headers['x-api-key'];
    const isUnusual =
      headers.authorization !== undefined ||
      // A page of another site needs CORS headers, which only the router sends.
      headers.origin !== undefined ||
      // Only the router signs answers.
      headers['x-nonce'] !== undefined ||
      Array.isArray(inHeader) ||
      inHeader === '' ||
      inHeader?.includes(',');
    if (isUnusual) return undefined;
    return (body, reply) => handle(deps, inHeader, body, reply);
  },
});

function handle(
  deps: FastValidationDeps,
  inHeader: string | undefined,
  body: Buffer,
  reply: FastReply,
): boolean {
  const given = readBody(body);
  if (!given) return false;
  const secret = inHeader ?? given.key;
  if (secret === undefined || (given.key !== undefined && given.key !== secret)) return false;
  const apiKey = deps.apiKeys.peek(secret);
  if (!apiKey || getKeyState(apiKey, deps.now()) !== 'active') return false;
  // Some test codes simulate errors. Only the router knows these codes.
  if (apiKey.isTest) return false;
  if (!apiKey.scopes.includes('purchases:validate')) return false;
  const seller = deps.sellers.peek(apiKey.workspaceId);
  if (!seller?.isSeller) return false;
  const question = { apiKey, seller, address: reply.address, code: given.code };
  answerValidation(deps, question).then(
    (answered) => answer(deps, apiKey, answered, reply),
    (error: unknown) => {
      const subject = { itemId: undefined, codeHint: undefined };
      report(deps, { apiKey, subject, reply, ...reply.fail(error) });
    },
  );
  return true;
}

const keyName = '"api_key"';
const codeName = '"purchase_code"';
const occursTwice = (body: Buffer, name: string) => {
  const first = body.indexOf(name);
  return first !== -1 && body.includes(name, first + name.length);
};

/**
 * Matches the usual body, which has only the code. The code is printable ASCII without `"` and `\`, so it
 * needs no decoding. JSON.parse and the search for repeated members would cost more.
 */
const onlyCodeForm = (() => {
  const blank = '[ \\t\\r\\n]*';
  const code = `"([ !#-[\\]-~]{1,${maxCodeLength}})"`;
  return new RegExp(`^${blank}\\{${blank}"purchase_code"${blank}:${blank}${code}${blank}\\}${blank}$`);
})();

/**
 * Returns undefined for a body that the router must parse, for example a body with non-ASCII text, escapes, a
 * repeated member, or a code that is not a text.
 */
function readBody(body: Buffer): { key: string | undefined; code: string } | undefined {
  const onlyCode = onlyCodeForm.exec(body.toString('latin1'))?.[1]?.trim();
  if (onlyCode) return { key: undefined, code: onlyCode };
  const given = readPlainObject(body);
  if (!given || occursTwice(body, keyName) || occursTwice(body, codeName)) return undefined;
  const key = given.api_key ?? undefined;
  if (typeof given.purchase_code !== 'string') return undefined;
  if (key !== undefined && (typeof key !== 'string' || key === '')) return undefined;
  const code = given.purchase_code.trim();
  return code.length > 0 && code.length <= maxCodeLength ? { key, code } : undefined;
}

function answer(
  deps: FastValidationDeps,
  apiKey: ApiKey,
  { result, subject }: AnsweredQuestion,
  reply: FastReply,
): void {
  if (typeof result === 'string') {
    reply.send(result);
    report(deps, { apiKey, subject, reply, status: 200, code: undefined });
  } else {
    const failed = reply.fail(result, (status) => softenStatus(apiKey, status));
    report(deps, { apiKey, subject, reply, ...failed });
  }
}

function report(
  deps: FastValidationDeps,
  given: {
    apiKey: ApiKey;
    subject: { itemId: bigint | undefined; codeHint: string | undefined };
    reply: FastReply;
    status: number;
    code: string | undefined;
  },
): void {
  const { apiKey, subject, reply } = given;
  deps.usage.onRequest({
    workspaceId: apiKey.workspaceId,
    apiKeyId: apiKey.id,
    address: reply.address,
    at: deps.now(),
    method: 'POST',
    route: path,
    status: given.status,
    code: given.code,
    durationMs: reply.elapsedMs,
    requestId: reply.requestId,
    itemId: subject.itemId,
    codeHint: subject.codeHint,
    // Requests with an Origin never use the fast path, so there is no page origin.
    pageOrigin: undefined,
  });
}
