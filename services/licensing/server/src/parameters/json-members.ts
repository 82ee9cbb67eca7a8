// The members of a JSON object by name, as often as they stand in it.

/** JSON.parse keeps the last of two members; only where there may be two is it worth a closer look. */
export function mayRepeat(text: string, names: readonly string[]): boolean {
  if (text.includes('\\')) return true;
  return names.some((name) => {
    const quoted = `"${name}"`;
    const first = text.indexOf(quoted);
    return first !== -1 && text.includes(quoted, first + quoted.length);
  });
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Walks the outermost object of a text that is known to be valid JSON. */
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
