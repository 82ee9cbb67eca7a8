// The languages in which the services write to people.
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/**
 * Returns the first supported language of an Accept-Language header, or undefined if there is none. The panel
 * sends the language that the person chose.
 */
export function readLanguage(header: string | undefined): Language | undefined {
  const tags = (header ?? '').slice(0, 200).split(',');
  const wanted = tags.map((tag) => tag.trim().toLowerCase().split(/[-;]/)[0]);
  return wanted.flatMap((tag) => languages.filter((language) => language === tag))[0];
}
