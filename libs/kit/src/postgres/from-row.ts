// Turns a row of the database into an object of the domain.

/** The columns under camelCase names, with undefined instead of null. The caller states the type. */
export const fromRow = <Domain>(row: object): Domain =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [toCamelCase(column), value ?? undefined]),
  ) as Domain;

const toCamelCase = (column: string): string =>
  column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
