// The language of the panel: the stored choice, or otherwise the first supported language of the browser.
const storageKey = 'counterfoil-language';

/** The name of every language, written in that language. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** Returns the language of a tag: `de-AT` is `de`. */
const readLanguage = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/** Returns the stored choice, otherwise the browser's first supported language, otherwise English. */
export function pickLanguage(chosen: string, wanted: readonly string[]): Language {
  return [chosen, ...wanted.map(readLanguage)].find(isLanguage) ?? 'en';
}

/** Whether Intl accepts the tag. Some systems report tags that Intl refuses, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Returns the browser's regional variant of the language, for numbers and dates. */
export const pickLocale = (language: Language, wanted: readonly string[]): string =>
  wanted.find((tag) => readLanguage(tag) === language && isLocale(tag)) ?? language;

/**
 * Reads the stored choice of a language. The result is empty if nothing is stored or the storage is blocked.
 * In both cases the languages of the browser decide.
 */
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

/** Formats a share: `formatPercent(0.125)` is 12.5% in English and 12,5 % in German. */
export const formatPercent = (share: number): string => percentFormat.format(share);

/** Switches the language. The page is reloaded, because texts are chosen when the page loads. */
export function switchLanguage(to: Language): void {
  localStorage.setItem(storageKey, to);
  location.reload();
}

/**
 * Returns the texts of the chosen language. German texts are fetched only if German is chosen. If the fetch
 * fails, the page uses English.
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
