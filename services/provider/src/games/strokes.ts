// The strokes that figures are drawn with, in a square of 100.

/** A body in colour, with shade and shine upon it. */
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
