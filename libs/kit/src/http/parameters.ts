// Parameters that many routes have: ids in addresses, and pages of lists.
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
 * Returns the last row of a full page, after which the next page begins. Returns undefined for a shorter
 * page, because it is the last page.
 */
export const findPageEnd = <Row>(limit: number, rows: readonly Row[]): Row | undefined =>
  rows.length === limit ? rows.at(-1) : undefined;
