// Generates every combination of one entry from each list.
export const product = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((all, list) => all.flatMap((each) => list.map((last) => [...each, last])), [[]]);
