// Which language the panel speaks: as chosen before, else as the browser asks for.
const storageKey = 'counterfoil-language';

/** Each under its own name, which is the one that whoever looks for it can read. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** `de-AT` is German. */
const readLanguage = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/** What was chosen, else the first of the browser's languages that there is, else English. */
export function pickLanguage(chosen: string, wanted: readonly string[]): Language {
  return [chosen, ...wanted.map(readLanguage)].find(isLanguage) ?? 'en';
}

/** Some systems name none that a browser can format by, `en-US@posix` for example. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Numbers and dates as in the region that the browser names with the language. */
export const pickLocale = (language: Language, wanted: readonly string[]): string =>
  wanted.find((tag) => readLanguage(tag) === language && isLocale(tag)) ?? language;

/** A browser may keep nothing for a page: then its own languages decide. */
function readChoice(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

const isPage = typeof document !== 'undefined';
const wanted = isPage ? navigator.languages : [];

export const language: Language = pickLanguage(isPage ? readChoice() : '', wanted);
export const locale: string = pickLocale(language, wanted);

const numberFormat = new Intl.NumberFormat(locale);
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });

export const formatNumber = (value: number): string => numberFormat.format(value);

/** `formatPercent(0.125)` is 12.5% in English and 12,5 % in German. */
export const formatPercent = (share: number): string => percentFormat.format(share);

/** Everything on the page is worded when it is loaded, so it is loaded anew. */
export function switchLanguage(to: Language): void {
  localStorage.setItem(storageKey, to);
  location.reload();
}

/**
 * The words of the chosen language. What is not English is fetched only where it is chosen; where it
 * cannot be had, the page speaks English rather than not at all.
 */
export async function chooseWords<Words>(
  english: Words,
  loadGerman: () => Promise<{ readonly default: Words }>,
): Promise<Words> {
  if (language === 'en') return english;
  try {
    return (await loadGerman()).default;
  } catch {
    return english;
  }
}
