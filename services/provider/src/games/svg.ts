// Writes SVG: elements with their attributes, and gradients.

type Attributes = Readonly<Record<string, string | number>>;

/** Numbers are rounded: a picture needs no more, and stays small. */
export function element(tag: string, attributes: Attributes, ...content: string[]): string {
  const listed = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : value}"`)
    .join('');
  return content.length === 0
    ? `<${tag}${listed}/>`
    : `<${tag}${listed}>${content.join('')}</${tag}>`;
}

export const round = (value: number): number => Math.round(value * 10) / 10;

export const escapeXml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export interface Stop {
  readonly at: number;
  readonly colour: string;
  readonly opacity?: number;
}

const writeStops = (stops: readonly Stop[]) =>
  stops.map(({ at, colour, opacity = 1 }) =>
    element('stop', {
      offset: String(at),
      'stop-color': colour,
      ...(opacity < 1 && { 'stop-opacity': String(opacity) }),
    }),
  );

/** From the top to the bottom, and as far aside as `lean` says. */
export const gradient = (id: string, stops: readonly Stop[], lean = 0): string =>
  element('linearGradient', { id, x1: 0, y1: 0, x2: String(lean), y2: 1 }, ...writeStops(stops));

export const glow = (id: string, stops: readonly Stop[]): string =>
  element('radialGradient', { id }, ...writeStops(stops));
