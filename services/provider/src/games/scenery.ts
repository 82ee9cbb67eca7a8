// Draws the landscape of a game's picture from a pseudo-random sequence that depends on the game alone.
import { hsl } from './colours.ts';
import { element, round } from './svg.ts';
import type { Backdrop } from './themes.ts';

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly hue: number;
  readonly chance: () => number;
}

/** Pseudo-random numbers from 0 to 1 that depend only on the text. */
export function chanceFrom(text: string): () => number {
  let state = 2166136261;
  for (const each of text) state = Math.imul(state ^ each.charCodeAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const steps = (count: number) => Array.from({ length: count }, (_, i) => i);

type Crest = (from: { x: number; y: number; wide: number; rise: number }) => string;

/** Layers from far to near, each lower and darker. `crest` draws the upper edge of a layer. */
function layers({ width, height, hue, chance }: Canvas, crest: Crest): string {
  return steps(3)
    .map((layer) => {
      const y = height * (0.56 + layer * 0.14);
      const wide = width / (2 + Math.round(chance() * 2));
      const start = -chance() * wide;
      const rise = height / 450;
      const edge = steps(8).map((i) => crest({ x: start + i * wide, y, wide, rise }));
      const d = `M${round(start)} ${round(y)}${edge.join('')}V${height}H${round(start)}z`;
      return element('path', { fill: hsl(hue + 14 - layer * 14, 58, 34 - layer * 10), d });
    })
    .join('');
}

const smooth: Crest = ({ x, y, wide, rise }) =>
  `Q${round(x + wide / 2)} ${round(y - 70 * rise)} ${round(x + wide)} ${round(y)}`;
const steep: Crest = ({ x, y, wide, rise }) =>
  `Q${round(x + wide * 0.7)} ${round(y - 80 * rise)} ${round(x + wide)} ${round(y)}`;
const sharp: Crest = ({ x, y, wide, rise }) =>
  `L${round(x + wide / 2)} ${round(y - 120 * rise)}L${round(x + wide)} ${round(y)}`;
const swell: Crest = ({ x, y, wide, rise }) =>
  `q${round(wide / 4)} ${round(-44 * rise)} ${round(wide / 2)} 0t${round(wide / 2)} 0` +
  `L${round(x + wide)} ${round(y)}`;

function scatter(canvas: Canvas, count: number, draw: (x: number, y: number) => string): string {
  const { width, height, chance } = canvas;
  return steps(count)
    .map(() => draw(chance() * width, chance() * height))
    .join('');
}

const stars = (canvas: Canvas, count: number) =>
  scatter(canvas, count, (cx, cy) => {
    const r = 0.6 + canvas.chance() * 1.8;
    return element('circle', { cx, cy, r, fill: '#fff', opacity: 0.3 + canvas.chance() * 0.6 });
  });

const bubbles = (canvas: Canvas) =>
  scatter(canvas, 16, (cx, cy) => {
    const r = 2 + canvas.chance() * 7;
    return element('circle', { cx, cy, r, fill: 'none', stroke: '#fff', opacity: '.35' });
  });

const rays = ({ width, height, hue }: Canvas) => {
  const [x, y, far] = [width / 2, height * 0.45, width + height];
  const half = far * 0.13;
  const look = { fill: hsl(hue + 30, 80, 60), opacity: '.16' };
  const d = `M${x} ${y}l${-half} ${-far}h${half * 2}z`;
  return steps(12)
    .map((i) => element('path', { ...look, transform: `rotate(${30 * i} ${x} ${y})`, d }))
    .join('');
};

const petals = (canvas: Canvas) =>
  scatter(canvas, 26, (cx, cy) => {
    const size = 5 + canvas.chance() * 14;
    const turn = `rotate(${Math.round(canvas.chance() * 360)} ${round(cx)} ${round(cy)})`;
    const look = { fill: hsl(canvas.hue + 20, 85, 78), opacity: '.3', transform: turn };
    return element('ellipse', { cx, cy, rx: size, ry: size * 0.45, ...look });
  });

/** Two rows of houses with a few lit windows. */
const city = (canvas: Canvas) =>
  [0, 1].flatMap((row) => steps(12).map((i) => house(canvas, row, i))).join('');

function house({ width, height, hue, chance }: Canvas, row: number, index: number): string {
  const wide = width / 11;
  const tall = height * (0.18 + chance() * 0.28) * (1 - row * 0.3);
  const [x, y] = [index * wide - row * 20 - 10, height - tall];
  const light = { width: 4, height: 6, fill: hsl(hue + 150, 95, 72), opacity: '.7' };
  const windows = steps(5).map(() => {
    const place = { x: x + 4 + chance() * (wide - 12), y: y + 8 + chance() * (tall - 20) };
    return element('rect', { ...place, ...light });
  });
  const wall = { x, y, width: wide - 3, height: tall, fill: hsl(hue, 50, 20 - row * 9) };
  return element('rect', wall) + windows.join('');
}

const drawers: Record<Backdrop, (canvas: Canvas) => string> = {
  hills: (canvas) => stars(canvas, 30) + layers(canvas, smooth),
  dunes: (canvas) => rays(canvas) + layers(canvas, steep),
  waves: (canvas) => layers(canvas, swell) + bubbles(canvas),
  peaks: (canvas) => stars(canvas, 40) + layers(canvas, sharp),
  stars: (canvas) => stars(canvas, 90) + rays({ ...canvas, hue: canvas.hue - 40 }),
  rays,
  city: (canvas) => stars(canvas, 30) + city(canvas),
  petals: (canvas) => rays(canvas) + petals(canvas),
};

export const drawScenery = (backdrop: Backdrop, canvas: Canvas): string => drawers[backdrop](canvas);
