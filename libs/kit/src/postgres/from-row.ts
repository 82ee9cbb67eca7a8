// Turns a row of the database into an object of the domain.

const names = new Map<string, string>();

function toCamelCase(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

/** The columns under camelCase names, with undefined instead of null. The caller states the type. */
export const fromRow = <Domain>(row: object): Domain =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [toCamelCase(column), value ?? undefined]),
  ) as Domain;
