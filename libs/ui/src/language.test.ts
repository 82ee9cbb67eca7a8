// The language and the number format that a browser gets.
import { describe, expect, it } from 'vitest';
import { pickLanguage, pickLocale } from './language.ts';

describe('the language of the panel', () => {
  it.each([
    ['de', ['en-US', 'en'], 'de', 'de'],
    ['', ['de-AT', 'en'], 'de', 'de-AT'],
    ['', ['fr-FR', 'DE-ch', 'en'], 'de', 'DE-ch'],
    ['en', ['de-DE'], 'en', 'en'],
    ['', ['fr', 'nl'], 'en', 'en'],
    ['', ['den-US', 'en-GB'], 'en', 'en-GB'],
    ['', ['en-US@posix'], 'en', 'en'],
    ['', ['de_DE', 'de-DE'], 'de', 'de-DE'],
    ['toString', ['constructor'], 'en', 'en'],
    ['', [], 'en', 'en'],
  ])(
    'the panel follows the stored choice “%s” and the browser languages %j: language %s, number format %s',
    (chosen, wanted, is, as) => {
      const language = pickLanguage(chosen, wanted);
      expect(language).toBe(is);
      expect(pickLocale(language, wanted)).toBe(as);
    },
  );
});
