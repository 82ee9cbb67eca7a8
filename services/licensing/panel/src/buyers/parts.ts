// Elements and formats that the pages of the buyer portal share.
import { describeProblem, isProblem } from '@counterfoil/ui/api/problem.ts';
import { type Language, language, languages, locale, switchLanguage } from '@counterfoil/ui/language.ts';
import { make } from '@counterfoil/ui/sign-in/plain-parts.ts';
import { words } from './strings.ts';

export const prefix = '/panel/buyers';

const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
export const formatDate = (iso: string): string => dateFormat.format(new Date(iso));

/** Returns the sentence for an error: the text of the buyer portal, otherwise that of the panels. */
export function describe(error: unknown): string {
  const code = Object.keys(words.problems).find((each) => isProblem(error, each));
  return (code && words.problems[code]) || describeProblem(error);
}

/** An element that shows the error of an action, and is hidden while it is empty. */
export const makeAlert = (): HTMLElement => make('div', { class: 'alert', role: 'alert' });

export function makeButton(
  label: string,
  onClick: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const button = make('button', { type: 'button', ...attributes }, label);
  button.addEventListener('click', onClick);
  return button;
}

/**
 * A button that sends a request. While the request runs, the button is disabled, so a second click has no
 * effect. `alert` shows the error.
 */
export function makeAction(
  label: string,
  action: () => Promise<void>,
  { alert, ...attributes }: { alert: HTMLElement; class?: string; 'aria-label'?: string },
): HTMLButtonElement {
  const button = makeButton(label, () => void run(), attributes);
  const run = async () => {
    button.disabled = true;
    alert.textContent = '';
    try {
      await action();
    } catch (error) {
      alert.textContent = describe(error);
    } finally {
      button.disabled = false;
    }
  };
  return button;
}

/** Buttons that switch the language of the page. */
export function makeLanguages(): HTMLElement {
  const others = Object.entries(languages).filter(([each]) => each !== language);
  const buttons = others.map(([each, name]) =>
    makeButton(name, () => switchLanguage(each as Language), { class: 'quiet', lang: each }),
  );
  return make('nav', { class: 'languages', 'aria-label': words.language }, ...buttons);
}
