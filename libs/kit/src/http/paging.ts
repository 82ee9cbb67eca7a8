// Pages of long lists: their default size, and when another page follows.

export const defaultPageLimit = 50;

/** The last row of a full page, after which another page may follow. A shorter page is the last. */
export const findPageEnd = <Row>(limit: number, rows: readonly Row[]): Row | undefined =>
  rows.length === limit ? rows.at(-1) : undefined;
