// Reads a callback's body where it is surely right as it stands, without the schema.
import { isTextUpTo, readPlainObject } from '@counterfoil/kit/http/read-json';
import { actions, type CallbackBody } from './callback-schema.ts';

const known: ReadonlySet<unknown> = new Set(actions);

/** Undefined for whatever the schema should have its say about. */
export function readPlainBody(bytes: Buffer): CallbackBody | undefined {
  const given = readPlainObject(bytes);
  if (!given || !known.has(given.action) || !isTextUpTo(given.player_id, 64)) return undefined;
  const isPlain =
    isOptional(given.transaction_id) &&
    isOptional(given.currency) &&
    isOptional(given.game_id) &&
    isOptional(given.round_id) &&
    isOptional(given.reference_transaction_id) &&
    isOptional(given.session_id) &&
    (given.round_finished == null || typeof given.round_finished === 'boolean');
  return isPlain ? (given as unknown as CallbackBody) : undefined;
}

const isOptional = (value: unknown): boolean =>
  value === undefined || value === null || isTextUpTo(value, 128);
