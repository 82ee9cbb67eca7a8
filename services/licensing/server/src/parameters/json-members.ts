// Reads the members of a JSON object by name, including repeated members.
import type { BodyReading } from './parameters.ts';

/**
 * Whether the text may contain a name twice. Such a text is scanned, because JSON.parse keeps only the last
 * value.
 */
export function mayRepeat(text: string, names: readonly string[]): boolean {
  if (text.includes('\\')) return true;
  return names.some((name) => {
    const quoted = `"${name}"`;
    const first = text.indexOf(quoted);
    return first !== -1 && text.includes(quoted, first + quoted.length);
  });
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Scans the outermost object of a valid JSON text. Returns all values of each of the given names, in order.
 */
export function listMembers(text: string, names: readonly string[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  let depth = 0;
  let name: string | undefined;
  let last = '';
  let valueStart = 0;
  for (const match of text.matchAll(token)) {
    const [part] = match;
    const closes = part === '}' || part === ']';
    if (part === '{' || part === '[') depth++;
    else if (depth === 1 && part === ':') {
      name = JSON.parse(last) as string;
      valueStart = match.index + 1;
    } else if (depth === 1 && (part === ',' || closes) && name !== undefined) {
      const value: unknown = JSON.parse(text.slice(valueStart, match.index));
      if (names.includes(name)) found.set(name, [...(found.get(name) ?? []), value]);
      name = undefined;
    }
    if (closes) depth--;
    last = part;
  }
  return found;
}

const refused: BodyReading = { refused: 'invalid_body' };

export function readJson(text: string, names: readonly string[]): BodyReading {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refused;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return refused;
  const found = new Map<string, unknown[]>();
  if (mayRepeat(text, names)) {
    for (const [name, values] of listMembers(text, names)) {
      const given = values.filter((value) => value !== null);
      if (given.length > 0) found.set(name, given);
    }
    return { found };
  }
  for (const name of names) {
    const value = (parsed as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) found.set(name, [value]);
  }
  return { found };
}
