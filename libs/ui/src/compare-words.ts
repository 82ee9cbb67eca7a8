// Compares the interface texts of two languages, entry by entry.

type Entry = readonly [path: string, value: unknown];

function listEntries(words: unknown, path = ''): Entry[] {
  if (typeof words !== 'object' || words === null) return [[path, words]];
  return Object.entries(words).flatMap(([name, value]) =>
    listEntries(value, path === '' ? name : `${path}.${name}`),
  );
}

/**
 * Whether an entry is the value of a select option. The value is sent to the service, so it is not
 * translated.
 */
const isWire = (path: string) => path.endsWith('.value');

function describeEntry([path, value]: Entry): string {
  if (typeof value === 'function') return `${path}: function of ${value.length}`;
  return isWire(path) ? `${path}: ${value}` : `${path}: ${typeof value}`;
}

/**
 * Finds entries that exist in only one language. Also finds entries that differ in kind: a text and a
 * function, or functions with different numbers of parameters.
 */
export function findGaps(words: object, others: object): string[] {
  const own = listEntries(words).map(describeEntry);
  const other = listEntries(others).map(describeEntry);
  const lacking = (all: string[], some: string[]) => all.filter((kind) => !some.includes(kind));
  return [...lacking(own, other), ...lacking(other, own)];
}

const marks = ['‹first›', '‹second›', '‹third›'];

/**
 * Returns the text of an entry. An entry that is a function is called with `marks` as its arguments. Returns
 * undefined if the function throws, because it does not accept texts as arguments.
 */
function tryOut(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  try {
    return String((value as (...given: string[]) => unknown)(...marks));
  } catch {
    return undefined;
  }
}

/** Finds texts that are identical in both languages. Each text is listed once. */
export function findUntranslated(words: object, others: object): string[] {
  const other = new Map(listEntries(others));
  const texts = listEntries(words).flatMap(([path, value]) => {
    const text = tryOut(value);
    return text && !isWire(path) && text === tryOut(other.get(path)) ? [text] : [];
  });
  return [...new Set(texts)].sort();
}

/** Finds the paths of entries that use an argument in one language but not in the other. */
export function findLostMarks(words: object, others: object): string[] {
  const other = new Map(listEntries(others));
  return listEntries(words)
    .filter(([path, value]) => {
      const [text, otherText] = [tryOut(value), tryOut(other.get(path))];
      if (text === undefined || otherText === undefined) return false;
      return marks.some((mark) => text.includes(mark) !== otherText.includes(mark));
    })
    .map(([path]) => path);
}

/** Finds the paths of entries that name a file of the repository, which users of the panel cannot open. */
export const findFileNames = (words: object): string[] =>
  listEntries(words)
    .filter(([, value]) => /\b[\w-]+\/[\w/-]+\.md\b/.test(tryOut(value) ?? ''))
    .map(([path]) => path);

/**
 * Matches the number 1 or 2 and the two words after it. One of the words may be the counted noun.
 * `mayBePlural` tells which one: an English plural ends in s, and a German noun begins with a capital
 * letter.
 */
const afterNumber = /(?<![\p{L}\p{N}.,])[12] (\p{L}+)(?: (\p{L}+))?/gu;
const mayBePlural = /^\p{Lu}|^\p{L}{2,}[^s]s$/u;

/**
 * Calls the text function `value` with the number `given`. Lists the words after that number that may be
 * plurals. The list is empty if the function throws.
 */
function listCounted(value: unknown, given: number | string): string[] {
  if (typeof value !== 'function') return [];
  try {
    const text = String(value(given, given, given));
    const words = [...text.matchAll(afterNumber)].flatMap(([, ...found]) => found);
    return words.filter((word) => word !== undefined && mayBePlural.test(word));
  } catch {
    return [];
  }
}

/**
 * Returns `path: word` for each noun that has the same form after 1 and after 2. Most of these texts are
 * wrong, because they have no separate form for the singular and the plural.
 */
export function findFixedPlurals(words: object): string[] {
  return listEntries(words).flatMap(([path, value]) => {
    const isFixed = (word: string, one: number | string, two: number | string) =>
      listCounted(value, one).includes(word) && listCounted(value, two).includes(word);
    const fixed = listCounted(value, 2).filter((word) => isFixed(word, 1, 2) && isFixed(word, '1', '2'));
    return [...new Set(fixed)].map((word) => `${path}: ${word}`);
  });
}
