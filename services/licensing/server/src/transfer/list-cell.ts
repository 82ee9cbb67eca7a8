// Reads and writes a list in one cell of a CSV file. Its entries are separated by `|`.

/** A backslash is an escape only before a `|`. Other backslashes are part of the text. */
const stroke = /(\\*)\|/g;

export function writeList(entries: readonly string[]): string {
  return entries
    .map((entry, i) => {
      const escaped = entry.replace(stroke, '$1$1\\|');
      // A `|` follows every entry except the last one. A backslash at the end of the entry would escape this
      // `|`, so the backslash is doubled.
      return i < entries.length - 1 ? escaped.replace(/\\+$/, '$&$&') : escaped;
    })
    .join('|');
}

export function readList(cell: string): string[] {
  const entries: string[] = [];
  let entry = '';
  let from = 0;
  for (const { 0: found, 1: slashes = '', index } of cell.matchAll(stroke)) {
    entry += cell.slice(from, index) + slashes.slice(0, Math.floor(slashes.length / 2));
    from = index + found.length;
    if (slashes.length % 2 === 1) entry += '|';
    else {
      entries.push(entry);
      entry = '';
    }
  }
  return [...entries, entry + cell.slice(from)];
}
