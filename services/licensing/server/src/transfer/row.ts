// A row of an imported file: its cells by field, or the reason why it could not be read.

/**
 * A cell is a text, a list, a number or a boolean. In CSV, the entries of a list are separated by `|`. Only
 * JSON files have numbers and booleans. The parser of each field decides whether a number or boolean is
 * valid.
 */
export type Cell = string | number | boolean | readonly string[];

/** Marks a JSON number that JavaScript would round. */
export const inexact = Number.POSITIVE_INFINITY;

export interface Row {
  /** The number of the first line, counted from 1. */
  readonly line: number;
  /** The number of the last line, if the row has several lines. */
  readonly lastLine?: number;
  readonly cells: Readonly<Record<string, Cell>>;
  /**
   * Further columns for the fields in `cells`. A column is listed here if its value differs from the value in
   * `cells`.
   */
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

/** A problem of a row. It never contains the text of the cell, which may be a purchase code. */
export interface RowProblem {
  readonly line: number;
  readonly field: string;
  readonly reason: string;
}

/** The fields whose column the user has chosen, each with the name of that column in the file. */
export type ColumnMap = ReadonlyMap<string, string>;

/** Alternative names of each field. The field's own name takes precedence over these names. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** The options by which the columns of a file are assigned to fields. */
export interface ColumnOptions {
  readonly fields: readonly string[];
  readonly map: ColumnMap;
  readonly aliases?: Aliases | undefined;
  readonly onUnknown: OnUnknownColumn;
}

/** Reports a column of the file that is not read. */
export type OnUnknownColumn = (
  column: string,
  about?: {
    /** The position of a CSV column, counted from 1. */
    readonly position?: number;
    /** The field whose name or alias the column has, if the field is read from another column. */
    readonly secondFor?: string | undefined;
  },
) => void;

/** The names that a field may have in the file, in order of precedence. */
export const namesOf = (field: string, { map, aliases }: ColumnOptions): readonly string[] => {
  const mapped = map.get(field);
  return mapped === undefined ? [field, ...(aliases?.[field] ?? [])] : [mapped];
};

/** Returns the field with this name or alias, even if the field is read from another column. */
export const fieldOf = (name: string, { fields, aliases }: ColumnOptions): string | undefined =>
  fields.find((field) => field === name || aliases?.[field]?.includes(name));

/**
 * Whether `second` differs from `first`. Both are cells for the same field, and an empty `second` never
 * differs.
 */
export const differs = (second: Cell | undefined, first: Cell | undefined): boolean =>
  toText(second) !== '' && toText(second) !== toText(first);

const toText = (cell: Cell | undefined = ''): string =>
  typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim();

/** The largest size of a row. Longer rows are reported as broken. */
export const maxRowBytes = 256 * 1024;
/** The maximum number of lines of a quoted cell. If a cell has more lines, its quote counts as not closed. */
export const maxRowLines = 1000;
