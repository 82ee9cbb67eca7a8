// Writes SVG: elements with their attributes, gradients and the shapes of figures.
type Attributes = Readonly<Record<string, string | number>>;

/** Writes an element. Rounds numbers to one decimal, which is exact enough and keeps the picture small. */
export function element(tag: string, attributes: Attributes, ...content: string[]): string {
  const listed = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? round(value) : value}"`)
    .join('');
  return content.length === 0 ? `<${tag}${listed}/>` : `<${tag}${listed}>${content.join('')}</${tag}>`;
}

export const round = (value: number): number => Math.round(value * 10) / 10;

export const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

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

/** A linear gradient from top to bottom, tilted by `lean`. */
export const gradient = (id: string, stops: readonly Stop[], lean = 0): string =>
  element('linearGradient', { id, x1: 0, y1: 0, x2: String(lean), y2: 1 }, ...writeStops(stops));

export const glow = (id: string, stops: readonly Stop[]): string =>
  element('radialGradient', { id }, ...writeStops(stops));

/** The parts of a figure: its coloured body, its shade and its highlights, as SVG elements. */
export interface Glyph {
  readonly body: string;
  readonly shade?: string;
  readonly shine?: string;
}

export const star = (points: number, outer: number, inner: number) =>
  Array.from({ length: points * 2 }, (_, i) => {
    const radius = i % 2 === 0 ? outer : inner;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(50 + radius * Math.cos(angle)).toFixed(1)},${(50 + radius * Math.sin(angle)).toFixed(1)}`;
  }).join(' ');

export const around = (count: number, element: string) =>
  Array.from(
    { length: count },
    (_, i) => `<g transform="rotate(${(360 / count) * i} 50 50)">${element}</g>`,
  ).join('');

export const path = (d: string) => `<path d="${d}"/>`;

export const disc = (x: number, y: number, r: number) => `<circle cx="${x}" cy="${y}" r="${r}"/>`;

export const oval = (x: number, y: number, rx: number, ry: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"/>`;

export const box = (x: number, y: number, w: number, h: number, r = 3) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}"/>`;
