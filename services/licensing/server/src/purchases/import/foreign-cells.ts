// Converts cells of files that Gumroad or Envato has exported. Ambiguous cells stay unchanged.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const monthOf = (name: string): string | undefined => {
  const index = months.indexOf(name.slice(0, 3).toLowerCase());
  return index === -1 ? undefined : String(index + 1).padStart(2, '0');
};

const time = '(\\d{1,2}:\\d{2}(?::\\d{2})?)';
const zone = '(Z|UTC|GMT|[+-]\\d{2}:?\\d{2})';

/** The unambiguous forms of a date. Forms such as 01/02/2024 are left out, because they are ambiguous. */
const momentForms = [
  // 2024-03-05 14:07:09 +1100
  new RegExp(`^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})[T ](?<time>${time}) ?(?<zone>${zone})?$`),
  // 5 Mar 2024 and 5 March 2024 14:07
  new RegExp(
    '^(?<day>\\d{1,2}) (?<name>[A-Za-z]{3,9}),? (?<year>\\d{4})' +
      `(?:,? (?<time>${time}))?(?: (?<zone>${zone}))?$`,
  ),
  // Mar 5, 2024
  new RegExp(
    '^(?<name>[A-Za-z]{3,9}) (?<day>\\d{1,2}), (?<year>\\d{4})' +
      `(?:,? (?<time>${time}))?(?: (?<zone>${zone}))?$`,
  ),
  // Tue Mar 05 14:07:09 +1100 2024
  new RegExp(
    '^[A-Z][a-z]{2} (?<name>[A-Z][a-z]{2}) (?<day>\\d{1,2}) ' +
      `(?<time>${time}) (?<zone>${zone}) (?<year>\\d{4})$`,
  ),
];

/** Converts a date to ISO 8601 if its form is known. A time without a zone is read as UTC. */
export function toMoment(text: string): string {
  const given = text.trim();
  for (const form of momentForms) {
    const parts = form.exec(given)?.groups;
    const month = parts && (parts.month ?? monthOf(parts.name ?? ''));
    if (!parts || month === undefined) continue;
    const date = `${parts.year}-${month}-${parts.day?.padStart(2, '0')}`;
    if (parts.time === undefined) return date;
    const at = parts.zone ?? 'Z';
    return `${date}T${parts.time.padStart(5, '0')}${/^(?:UTC|GMT)$/.test(at) ? 'Z' : at}`;
  }
  return given;
}

const dollars = /^-?(?:US)?\$? ?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?: ?USD)?$/;

/**
 * Removes the dollar sign, the thousands separators, and the minus sign that refunds have. An amount in any
 * other form stays unchanged.
 */
export const toAmount = (text: string): string => dollars.exec(text.trim())?.[1]?.replaceAll(',', '') ?? text;

/** Removes the last word of “Regular License” and “Extended Licence”. */
export const toLicense = (text: string): string => text.trim().replace(/ licen[sc]e$/i, '');

export const parseFlag = (cell: string | undefined): boolean =>
  /^(?:1|1\.0|yes|true|y)$/i.test(cell?.trim() ?? '');

export const parseCount = (cell: string | undefined): number | undefined =>
  /^\d+$/.test(cell?.trim() ?? '') ? Number(cell) : undefined;
