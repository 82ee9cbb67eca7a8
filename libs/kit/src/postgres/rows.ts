// Reads the rows of a query as objects with camelCase field names.
import type { Queryable, QueryRequest } from './db.ts';

/** The field name of each column name. The map stays small, because the statements are fixed. */
const fields = new Map<string, string>();

function fieldOf(column: string): string {
  let field = fields.get(column);
  if (field === undefined) {
    field = column.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
    fields.set(column, field);
  }
  return field;
}

/**
 * Converts a row: the column `item_id` becomes the field `itemId`. If a column is null, its field is absent.
 */
export function fromRow<T>(row: object): T {
  const read: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value !== null) read[fieldOf(column)] = value;
  }
  return read as T;
}

export async function queryRows<T>(
  db: Queryable,
  request: QueryRequest | string,
  values?: readonly unknown[],
): Promise<T[]> {
  const { rows } = await db.query(request, values);
  return rows.map((row) => fromRow<T>(row));
}

/** Returns the first row, or undefined if the query finds no row. */
export async function queryRow<T>(
  db: Queryable,
  request: QueryRequest | string,
  values?: readonly unknown[],
): Promise<T | undefined> {
  const [row] = await queryRows<T>(db, request, values);
  return row;
}
