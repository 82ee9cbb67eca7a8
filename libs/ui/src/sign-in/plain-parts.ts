// Elements of the sign-in page, built without libraries.
import { words } from '../strings.ts';

type Attributes = Readonly<Record<string, string>>;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function makeDrawing(attributes: Attributes, ...shapes: readonly [string, Attributes][]): Element {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  const fill = (element: Element, given: Attributes) => {
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  };
  fill(drawing, { 'aria-hidden': 'true', focusable: 'false', ...attributes });
  for (const [name, given] of shapes) {
    const shape = document.createElementNS(namespace, name);
    fill(shape, given);
    drawing.append(shape);
  }
  return drawing;
}

const white = { fill: 'none', stroke: '#ffffff', 'stroke-linecap': 'round' };

/** The same mark as in `shell/brand.tsx`. */
export function makeBrand(panelName: string): HTMLElement {
  const mark = makeDrawing(
    { width: '26', height: '26', viewBox: '0 0 32 32' },
    ['rect', { x: '2', y: '6', width: '28', height: '20', rx: '4', fill: '#18704f' }],
    ['path', { ...white, d: 'M12 8v16', 'stroke-width': '2', 'stroke-dasharray': '2 3' }],
    ['path', { ...white, d: 'M17.5 16.2l2.6 2.6 5-5.4', 'stroke-width': '2.4' }],
  );
  const name = make('span', {}, panelName);
  return make('div', { class: 'brand' }, mark, make('strong', {}, words.brand), name);
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

/** The button that shows the password is for sighted people; screen readers read what is typed. */
export function makePasswordField(label: string): Field {
  const field = makeField({ label, type: 'password', autocomplete: 'current-password' });
  const eye = makeDrawing(
    { width: '18', height: '18', viewBox: '0 0 24 24', class: 'eye' },
    ['path', { d: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12Z' }],
    ['circle', { cx: '12', cy: '12', r: '3' }],
  );
  const toggle = make('button', { type: 'button', tabindex: '-1', 'aria-hidden': 'true' }, eye);
  toggle.addEventListener('click', () => {
    field.input.type = field.input.type === 'password' ? 'text' : 'password';
  });
  field.root.append(toggle);
  return field;
}
