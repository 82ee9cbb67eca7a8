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
  /** `position` is that of a CSV column, counted from 1. */
  readonly onUnknown: (column: string, position?: number) => void;
}

/** The names under which a field may be in the file, the first of them first. */
export const namesOf = (field: string, { map, aliases }: ColumnOptions): readonly string[] => {
  const mapped = map.get(field);
  return mapped === undefined ? [field, ...(aliases?.[field] ?? [])] : [mapped];
};

/** No row of ours is longer. */
export const maxRowBytes = 256 * 1024;
/** A quoted cell may hold line breaks; one that holds more of them was left open by mistake. */
export const maxRowLines = 1000;
