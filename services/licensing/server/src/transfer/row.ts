// A row of a file that comes in: its cells by field, or why it could not be read.

/**
 * A list is one cell of several values; CSV writes it with `|` in between. Numbers and booleans
 * come from JSON alone, and stay what they are until the field is known that they are meant for.
 */
export type Cell = string | number | boolean | readonly string[];

/** Stands for a JSON number with more digits than JavaScript keeps of it. */
export const inexact = Number.POSITIVE_INFINITY;

export interface Row {
  /** Where it begins in the file, counted from 1. */
  readonly line: number;
  /** Where it ends, if elsewhere. */
  readonly lastLine?: number;
  readonly cells: Readonly<Record<string, Cell>>;
  /** Second columns of a field whose value differs from the field's. */
  readonly conflicts?: readonly ColumnConflict[];
}

export interface ColumnConflict {
  readonly field: string;
  readonly column: string;
}

export interface BadRow {
  readonly line: number;
  readonly problem: string;
}

export type ReadRow = Row | BadRow;

/** One thing that is wrong with one row. It never repeats the cell: that may hold a code. */
export interface RowProblem {
  readonly line: number;
  readonly field: string;
  readonly reason: string;
}

/** The column of each field, where it is not called like the field. */
export type ColumnMap = ReadonlyMap<string, string>;

/** Other names that a field may have without a map; the field's own name wins. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** How the columns of a file become fields. */
export interface ColumnOptions {
  readonly fields: readonly string[];
  readonly map: ColumnMap;
  readonly aliases?: Aliases | undefined;
  readonly onUnknown: OnUnknownColumn;
}

/** Reports a column that no field is read from. */
export type OnUnknownColumn = (
  column: string,
  about?: {
    /** Of a CSV column, counted from 1. */
    readonly position?: number;
    /** The field, if the column is a second column for it. */
    readonly secondFor?: string | undefined;
  },
) => void;

/** The names under which a field may be in the file, the first of them first. */
export const namesOf = (field: string, { map, aliases }: ColumnOptions): readonly string[] => {
  const mapped = map.get(field);
  return mapped === undefined ? [field, ...(aliases?.[field] ?? [])] : [mapped];
};

/** The field that `name` is a known name of, whether or not the field is read from that column. */
export const fieldOf = (name: string, { fields, aliases }: ColumnOptions): string | undefined =>
  fields.find((field) => field === name || aliases?.[field]?.includes(name));

/** A second column contradicts the field if it has a value, and another one than the field. */
export const differs = (second: Cell | undefined, first: Cell | undefined): boolean =>
  toText(second) !== '' && toText(second) !== toText(first);

const toText = (cell: Cell | undefined = ''): string =>
  typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim();

/** No row of ours is longer. */
export const maxRowBytes = 256 * 1024;
/** A quoted cell may hold line breaks; one that holds more of them was left open by mistake. */
export const maxRowLines = 1000;
