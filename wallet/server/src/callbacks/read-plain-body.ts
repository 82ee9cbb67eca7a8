// Reads a callback's body where it is surely right as it stands, without the schema.
import { actions, type CallbackBody } from './callback-schema.ts';

/** Without a backslash no text holds a quote or an escaped character; control characters need one. */
const unusual = /[\\\x7f]|__proto__|constructor/;
const known: ReadonlySet<unknown> = new Set(actions);

/** Undefined for whatever the schema should have its say about. */
export function readPlainBody(text: string): CallbackBody | undefined {
  if (unusual.test(text)) return undefined;
  const given = parse(text);
  if (!given || !known.has(given.action) || !isText(given.player_id, 64)) return undefined;
  const isPlain =
    isOptional(given.player_id) &&
    isOptional(given.transaction_id) &&
    isOptional(given.currency) &&
    isOptional(given.game_id) &&
    isOptional(given.round_id) &&
    isOptional(given.reference_transaction_id) &&
    isOptional(given.session_id) &&
    (given.round_finished == null || typeof given.round_finished === 'boolean');
  return isPlain ? (given as unknown as CallbackBody) : undefined;
}

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

const isOptional = (value: unknown): boolean =>
  value === undefined || value === null || isText(value, 128);

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
