// Tables for a terminal: the columns are aligned, cut to the width of the terminal, and contain no control
// characters.

interface TableOptions {
  /** The width of the terminal. If it is undefined, no column is cut. */
  readonly columns?: number | undefined;
  /** The indexes of the columns that are cut last, such as ids, because a cut id cannot be copied. */
  readonly keep?: readonly number[];
}

const indent = '  ';
const gap = '  ';
const minWidth = 3;

/** Matches characters that take two columns of the terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const markOnly = /\p{M}/u;

const columnsOf = (character: string): number =>
  markOnly.test(character) ? 0 : wide.test(character) ? 2 : 1;

export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** Replaces line breaks, escape sequences and direction marks, because names come from users. */
const clean = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');

export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

export function formatTable(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const cells = rows.map((row) => row.map(clean));
  const widths = fit(measure(cells), options);
  return cells
    .map((row) => `${indent}${row.map((cell, i) => pad(cell, widths[i] ?? 0)).join(gap)}`)
    .map((line) => line.trimEnd())
    .map((line) => (options.columns === undefined ? line : cut(line, options.columns)))
    .join('\n');
}

function pad(cell: string, width: number): string {
  const shown = cut(cell, width);
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}

function measure(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  }
  return widths;
}

/**
 * Narrows the widest column by one until the table fits or all columns have the minimum width. Columns in
 * `keep` are narrowed last.
 */
function fit(widths: readonly number[], { columns, keep = [] }: TableOptions): number[] {
  const fitted = [...widths];
  if (columns === undefined) return fitted;
  const frame = indent.length + gap.length * Math.max(0, widths.length - 1);
  let over = fitted.reduce((sum, width) => sum + width, frame) - columns;
  for (const mayCut of [(i: number) => !keep.includes(i), () => true]) {
    while (over > 0) {
      const widest = fitted
        .map((width, i) => ({ width, i }))
        .filter(({ width, i }) => mayCut(i) && width > minWidth)
        .reduce<{ width: number; i: number } | undefined>(
          (most, each) => (most && most.width >= each.width ? most : each),
          undefined,
        );
      if (!widest) break;
      fitted[widest.i] = widest.width - 1;
      over--;
    }
  }
  return fitted;
}

/** Wraps a text at spaces. A word that is longer than the width gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of clean(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
