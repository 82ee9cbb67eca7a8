// The types of parse-catalogue.mjs, which is plain JavaScript because a worker thread loads it.
import type { Origin } from '../src/upstream/read-catalogue.ts';
import type { CatalogueEntry, FailureReason } from '../src/upstream/upstream.ts';

/** A game in the form in which the wallet serves it. */
type CatalogueRecord = Readonly<Record<string, unknown>>;

export function parseRecords(body: Buffer, origin: Origin | undefined): CatalogueRecord[] | FailureReason;

export function writeRecords(
  records: readonly CatalogueRecord[],
): Generator<CatalogueEntry[], Uint8Array<ArrayBuffer>, void>;
