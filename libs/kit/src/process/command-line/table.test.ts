// Tables fit the width of the terminal, shorten ids last, and contain no escape sequences.
import { expect, it } from 'vitest';
import { formatTable, widthOf, wrap } from './table.ts';

const rows = [
  ['ID', 'UID', 'NAME'],
  ['1', 'UID_0123456789', 'A name that is far too long for a narrow terminal'],
];

it('a table shortens the widest column first, and the columns in `keep` last', () => {
  const table = formatTable(rows, { columns: 40, keep: [1] });
  for (const line of table.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40);
  expect(table).toContain('UID_0123456789  A name');
  expect(table).toContain('…');
  const narrow = formatTable(rows, { columns: 12, keep: [1] });
  for (const line of narrow.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(12);
});

it('a table shortens nothing if no terminal width is given', () => {
  expect(formatTable(rows)).toContain('far too long for a narrow terminal');
});

it('a table counts wide characters as two columns and combining marks as none', () => {
  const lines = formatTable([
    ['日本', '|'],
    ['e\u0301', '|'],
  ]).split('\n');
  expect(lines.map((line) => widthOf(line))).toEqual([9, 9]);
});

it('a table replaces escape sequences, line breaks and direction marks', () => {
  const shown = formatTable([['\u001b[2Jx', 'a\nb', '\u202ec']]);
  expect(shown).toBe('  �[2Jx  a�b  �c');
});

it('long text is wrapped between words', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
});
