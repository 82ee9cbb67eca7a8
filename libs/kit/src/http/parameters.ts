// Parameters that many routes have: ids in URLs, and pages of lists.
import { Type } from 'typebox';
import { idForm } from './openapi/forms.ts';
import { shownAs } from './openapi/schema-marks.ts';

export const Id = shownAs(
  Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: 'A positive integer.' }),
  idForm,
);

const idPattern = /^[1-9]\d{0,17}$/;

/**
 * Parses an id. Returns 0 if the text is not an id. No row has the id 0, so the caller answers "not found".
 */
export const parseId = (text: string): bigint => (idPattern.test(text) ? BigInt(text) : 0n);

export const defaultPageLimit = 50;

/**
 * If the page is full, returns its last row, and the next page begins after this row. A page that is not
 * full is the last page, so the result is undefined.
 */
export const findPageEnd = <Row>(limit: number, rows: readonly Row[]): Row | undefined =>
  rows.length === limit ? rows.at(-1) : undefined;
