// Reads named members of a JSON object, and sees a member that stands in it twice.
import { listMembers, mayRepeat } from './json-members.ts';
import type { BodyReading } from './parameters.ts';

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
