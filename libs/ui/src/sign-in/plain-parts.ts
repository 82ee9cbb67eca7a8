// Elements of the sign-in page, built without libraries.
import mark from '../shell/mark.svg';
import { words } from '../strings.ts';

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function makeBrand(panelName: string): HTMLElement {
  const logo = make('img', { src: mark, width: '26', height: '26', alt: '' });
  const name = make('span', {}, panelName);
  return make('div', { class: 'brand' }, logo, make('strong', {}, words.brand), name);
}

interface Field {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
}

export function makeField(of: { label: string; type: string; autocomplete: string }): Field {
  const { label, type, autocomplete } = of;
  const input = make('input', { id: autocomplete, type, autocomplete });
  const root = make('div', { class: 'field' }, make('label', { for: autocomplete }, label), input);
  return { root, input };
}

/**
 * Makes a password field. The button that shows the password is hidden from screen readers, whose users do
 * not need it.
 */
export function makePasswordField(label: string): Field {
  const field = makeField({ label, type: 'password', autocomplete: 'current-password' });
  const toggle = make('button', { type: 'button', tabindex: '-1', 'aria-hidden': 'true' });
  toggle.innerHTML =
    '<svg width="18" height="18" viewBox="0 0 24 24" class="eye" focusable="false">' +
    '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Z"/><circle cx="12" cy="12" r="3"/></svg>';
  toggle.addEventListener('click', () => {
    field.input.type = field.input.type === 'password' ? 'text' : 'password';
  });
  field.root.append(toggle);
  return field;
}
