// Finds the reason why an address cannot be certified, from the answer to the first balance call.
import type { DialectName } from '../connections/dialects/dialect.ts';
import type { RawAnswer } from './send-request.ts';
import type { Answer, Reason, Speaker } from './speaker.ts';
import { asObject, readObject } from './speakers/wire.ts';
import { describe } from './steps.ts';

/**
 * The option that the user should check, for each reason of a refusal. If the code of an answer can have
 * several of these reasons, the first reason in this list is used.
 */
const advice: readonly (readonly [Reason, string])[] = [
  ['signature', 'check --credentials'],
  ['session', 'check --session and --player'],
  ['expired', 'give a running session with --session'],
  ['player', 'check --player'],
  ['currency', 'check --currency'],
  ['blocked', 'name a player who is not blocked with --player'],
];

const generalAdvice =
  'check the address, the credentials, the session, the player, --currency and --decimals';

/**
 * Returns a sentence without a period that says why the answer has no usable balance. Returns undefined if
 * the answer has a usable balance.
 */
export function findUnusable(speaker: Speaker, raw: RawAnswer): string | undefined {
  const { status, text, location } = raw;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? 'another address' : location.slice(0, 200);
    return `The address redirects to ${target} (HTTP ${status}); name the address of the wallet itself`;
  }
  const body = readObject(text);
  if (!body) return describeText(raw);
  const spoken = findDialect(body);
  if (spoken !== undefined && spoken !== speaker.dialect) {
    return `The address answers in the dialect ${spoken} instead of ${speaker.dialect}; check --dialect`;
  }
  const answer = speaker.read(status, text);
  if (answer.accepted && answer.balance !== undefined) return undefined;
  const start = 'The wallet did not answer the first balance call with a balance';
  return `${start}: ${describeRefusal(answer)}; ${findAdvice(speaker, answer)}`;
}

const describeRefusal = (answer: Answer): string =>
  answer.accepted ? 'the answer had no balance with the right number of decimals' : describe(answer);

function findAdvice({ codes, dialect }: Speaker, { accepted, code }: Answer): string {
  if (accepted) return 'check the address, --dialect and --decimals';
  if (code === '') return `the answer is not in the dialect ${dialect}, so check the address and --dialect`;
  const reasons = advice.filter(([reason]) => codes[reason].includes(code));
  // If the dialect has one code for all reasons, the code does not show which option is wrong.
  const isUnclear = reasons.length === advice.length;
  return (isUnclear ? undefined : reasons[0]?.[1]) ?? generalAdvice;
}

/** Describes an answer that is not a JSON object. */
function describeText({ status, text }: RawAnswer): string {
  const isPage = /^\s*<(?:!doctype html|html|head|body)/i.test(text);
  const what = isPage
    ? 'a web page'
    : text.trim() === ''
      ? 'an empty body'
      : 'a text that is not a JSON object';
  const start = `The address does not belong to a wallet: it answers with ${what} (HTTP ${status})`;
  return status === 404 ? `${start}; check the path of the address` : `${start}; check the address`;
}

/**
 * Finds the dialect of an answer. Returns undefined if the answer does not show its dialect. For example,
 * successful answers of SoftSwiss and Slotegrator do not show it.
 */
function findDialect(body: Readonly<Record<string, unknown>>): DialectName | undefined {
  const { status, error_code: errorCode, meta } = body;
  if (typeof status === 'string' && status.startsWith('RS_')) return 'hub88';
  if (status === 'OK' || status === 'ERROR') return 'valkyrie';
  if (errorCode !== undefined) return 'slotegrator';
  return asObject(meta)?.api_code === undefined ? undefined : 'softswiss';
}
