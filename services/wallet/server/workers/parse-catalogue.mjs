// Parses the JSON of a catalogue into records and an index, in a worker thread or in the main thread.
import { Buffer, isUtf8 } from 'node:buffer';

const maxGames = 20_000;
const chunk = 500;
const unclean = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Returns the text. Returns null if the text is empty or longer than `max`. Also returns null if the text
 * contains control characters, lone surrogates or line separators.
 */
const text = (value, max) =>
  typeof value === 'string' && value !== '' && value.length <= max && !unclean.test(value) ? value : null;

/** An http(s) URL without a user name and password (`user:password@`). */
const addressForm = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i;

function address(value) {
  const given = text(value, 2048);
  return given !== null && addressForm.test(given) && URL.canParse(given) ? given : null;
}

function addresses(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const known = [];
  for (const [name, each] of Object.entries(value)) {
    const found = /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(name) ? address(each) : null;
    if (found !== null && known.length < 16) known.push([name, found]);
  }
  return known.length > 0 ? Object.fromEntries(known) : null;
}

function texts(value, max) {
  if (!Array.isArray(value)) return null;
  const known = value.slice(0, 16).map((each) => text(each, max));
  const clean = known.filter((each) => each !== null);
  return clean.length > 0 ? clean : null;
}

const percentage = (value) => (typeof value === 'number' && value > 0 && value <= 100 ? value : null);

const statuses = ['active', 'maintenance', 'disabled'];

/** Adds the prefix of the connection that the game comes from. */
const withPrefix = (id, origin) => (origin && typeof id === 'string' && id !== '' ? origin.prefix + id : id);

/** Converts a record to the served form; undefined if the record has no valid id or name. */
function normalise(given, origin) {
  if (given === null || typeof given !== 'object') return undefined;
  const id = text(withPrefix(given.id, origin), 128);
  const name = text(given.name, 255);
  if (id === null || name === null) return undefined;
  return {
    game_id: id,
    game_name: name,
    provider: text(given.provider, 128),
    category: text(given.category, 64),
    image: address(given.image),
    images: addresses(given.images),
    rtp: percentage(given.rtp),
    volatility: text(given.volatility, 32),
    has_demo: typeof given.has_demo === 'boolean' ? given.has_demo : null,
    platforms: texts(given.platforms, 32),
    status: statuses.includes(given.status) ? given.status : null,
    ...(origin && { source: origin.source }),
  };
}

/** Returns the records in the order of their ids, or the reason why the bytes are not a catalogue. */
export function parseRecords(body, origin) {
  if (!isUtf8(body)) return 'not_json';
  let whole;
  try {
    whole = JSON.parse(body.toString('utf8'));
  } catch {
    return 'not_json';
  }
  const games = whole?.games;
  if (!Array.isArray(games)) return 'wrong_shape';
  if (games.length > maxGames) return 'too_large';
  const records = new Map();
  for (const each of games) {
    const record = normalise(each, origin);
    if (record && !records.has(record.game_id)) records.set(record.game_id, record);
  }
  // Games are sorted by the code units of their ids, so that the order is the same in every process and
  // version.
  return [...records.values()].sort((a, b) => (a.game_id < b.game_id ? -1 : 1));
}

/**
 * Yields the index in chunks of at most 500 entries, because deserializing one large message of the worker
 * would block the main thread. After the chunks, returns the JSON of all records, separated by commas.
 */
export function* writeRecords(records) {
  const parts = [];
  let at = 0;
  let entries = [];
  for (const record of records) {
    const json = Buffer.from(JSON.stringify(record), 'utf8');
    if (at > 0) parts.push(Buffer.from(','));
    const start = at > 0 ? at + 1 : 0;
    parts.push(json);
    at = start + json.length;
    entries.push({
      gameId: record.game_id,
      search: `${record.game_name}\n${record.game_id}`.toLowerCase(),
      provider: record.provider?.toLowerCase() ?? '',
      category: record.category?.toLowerCase() ?? '',
      status: record.status,
      hasDemo: record.has_demo,
      start,
      end: at,
    });
    if (entries.length === chunk) {
      yield entries;
      entries = [];
    }
  }
  yield entries;
  const json = new Uint8Array(at);
  let filled = 0;
  for (const part of parts) {
    json.set(part, filled);
    filled += part.length;
  }
  return json;
}
