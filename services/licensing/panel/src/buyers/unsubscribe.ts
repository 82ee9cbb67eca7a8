// The page of an unsubscribe link. The mails end only when the buyer clicks, because mail scanners open links
// too.
import { post } from '@counterfoil/ui/api/request.ts';
import { make } from '@counterfoil/ui/sign-in/plain-parts.ts';
import { makeAction, makeAlert, prefix } from './parts.ts';
import { words } from './strings.ts';

const text = words.unsubscribe;

export function makeUnsubscribePage(token: string): HTMLElement {
  const alert = makeAlert();
  const done = make('p', { role: 'status' });
  const stop = async () => {
    await post(`${prefix}/unsubscribe`, { token });
    button.remove();
    done.textContent = text.done;
  };
  const button = makeAction(text.stop, stop, { alert });
  const other = make('a', { href: '/buyers', class: 'quiet' }, words.title);
  const heading = make('header', {}, make('h1', {}, text.title), make('p', { class: 'hint' }, text.hint));
  const body = make('div', { class: 'stack' }, alert, done, button, other);
  return make('section', {}, heading, make('hr'), body);
}
