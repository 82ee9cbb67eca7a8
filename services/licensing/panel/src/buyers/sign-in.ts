// The sign-in of the buyer portal: with a link by e-mail, or with an e-mail address and a purchase code.
import { get, post } from '@counterfoil/ui/api/request.ts';
import { make, makeField } from '@counterfoil/ui/sign-in/plain-parts.ts';
import { describe, makeAction, makeAlert, makeButton, prefix } from './parts.ts';
import { words } from './strings.ts';

const text = words.signIn;

/** A seller may give buyers the link `/buyers?seller=12`. The sign-in then searches only workspace 12. */
function readSeller(): { seller_id?: number } {
  const id = Number(new URLSearchParams(window.location.search).get('seller') ?? '');
  return Number.isSafeInteger(id) && id > 0 ? { seller_id: id } : {};
}

const makeHeading = (title: string, hint: string) =>
  make('header', {}, make('h1', {}, title), make('p', { class: 'hint' }, hint));

/**
 * The page that the link in the e-mail opens. The link is used only when the buyer clicks the button, because
 * mail scanners open links too.
 */
export function makeLinkPage(token: string, onSignedIn: () => void): HTMLElement {
  const alert = makeAlert();
  const redeem = async () => {
    await post(`${prefix}/links/redeem`, { token });
    onSignedIn();
  };
  const button = makeAction(text.redeem, redeem, { alert });
  const other = make('a', { href: '/buyers', class: 'quiet' }, text.another);
  const body = make('div', { class: 'stack' }, alert, button, other);
  return make('section', {}, makeHeading(text.title, text.redeemHint), make('hr'), body);
}

export async function makeSignInPage(onSignedIn: () => void): Promise<HTMLElement> {
  const { links } = await get<{ links: boolean }>(`${prefix}/options`).catch(() => ({ links: true }));
  const alert = makeAlert();
  const sent = make('p', { class: 'small', role: 'status' });
  const email = makeField({ label: text.email, type: 'email', autocomplete: 'email' });
  const code = makeField({ label: text.code, type: 'text', autocomplete: 'off' });
  const button = make('button', { type: 'submit' });
  const other = makeButton('', () => show(!byCode), { class: 'quiet' });
  const form = make('form', {}, alert, email.root, code.root, button, other, sent);
  let byCode = !links;

  const show = (next: boolean): void => {
    byCode = next;
    code.root.hidden = !byCode;
    code.input.required = byCode;
    other.hidden = !links;
    other.textContent = byCode ? text.useLink : text.useCode;
    button.textContent = byCode ? text.open : text.send;
    alert.textContent = '';
    sent.textContent = '';
  };
  const send = async (): Promise<void> => {
    const given = { email: email.input.value, ...readSeller() };
    try {
      if (byCode) {
        await post(`${prefix}/session`, { ...given, purchase_code: code.input.value.trim() });
        onSignedIn();
      } else {
        await post(`${prefix}/links`, given);
        sent.textContent = text.sent;
      }
    } catch (error) {
      alert.textContent = describe(error);
    } finally {
      button.disabled = false;
    }
  };
  email.input.required = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    alert.textContent = '';
    sent.textContent = '';
    void send();
  });
  show(byCode);
  return make('section', {}, makeHeading(text.title, text.hint), make('hr'), form);
}
