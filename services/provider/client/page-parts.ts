// Finds and creates the elements of a page.

export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

export function makeSvg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const stillness = window.matchMedia('(prefers-reduced-motion: reduce)');

/** Whether the player prefers reduced motion. The player then sees results at once. */
export const isStill = (): boolean => stillness.matches;

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
