// The games of one catalogue: their records as finished JSON, and an index to find them in it.

export type GameStatus = 'active' | 'maintenance' | 'disabled';

export interface CatalogueEntry {
  readonly gameId: string;
  /** Name and id in lower case, to be searched. */
  readonly search: string;
  /** In lower case; empty where unknown. */
  readonly provider: string;
  readonly category: string;
  readonly status: GameStatus | null;
  readonly hasDemo: boolean | null;
  /** Where the record's JSON stands in `json`. */
  readonly start: number;
  readonly end: number;
}

export interface CatalogueContent {
  /** The records in the order of their ids, with a comma between two. */
  readonly json: Buffer;
  /** In the same order. */
  readonly entries: readonly CatalogueEntry[];
}
