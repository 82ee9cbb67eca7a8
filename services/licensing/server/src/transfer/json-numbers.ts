// Finds the numbers of a JSON text that JavaScript would round, before it reads them.

/** A double keeps any 15 digits, so with fewer in a row there is nothing to look for. */
const manyDigits = /\d(?:\.?\d){15}/;
/** Texts are matched too, so that what looks like a number in one is passed over. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Read as infinity, which no JSON number is. */
const inexactNumber = '1e999';

export const markInexact = (json: string): string =>
  manyDigits.test(json)
    ? json.replace(tokens, (token) =>
        token.startsWith('"') || isExact(token) ? token : inexactNumber,
      )
    : json;

/** Whether the number, as JavaScript writes it again, is the one that stands there. */
const isExact = (token: string) => normalise(token) === normalise(String(Number(token)));

/** One text per value: the digits without zeros around them, and how far the point is moved. */
function normalise(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const moved = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${moved}`;
}
