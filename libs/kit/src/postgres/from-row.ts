// Makes an object of the domain from a row.

const names = new Map<string, string>();

const toCamelCase = (column: string): string => {
  const known = names.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
};

/** The columns with camelCase names. A column that is null becomes a field that is undefined. */
export function fromRow<T>(row: object): T {
  const fields = Object.entries(row).map(([column, value]) => [
    toCamelCase(column),
    value ?? undefined,
  ]);
  return Object.fromEntries(fields) as T;
}
