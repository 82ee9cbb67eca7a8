// The landscape behind a game's picture, from a chance that is the same at every drawing.
import { hsl } from './colours.ts';
import type { Scene } from './themes.ts';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly hue: number;
  readonly chance: () => number;
}

/** Numbers from 0 to 1 that depend on the text alone. */
export function chanceFrom(text: string): () => number {
  let state = [...text].reduce(
    (hash, each) => Math.imul(hash ^ each.charCodeAt(0), 16777619),
    2166136261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
const steps = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Layers from far to near, each lower and darker; `crest` says how a layer's edge runs. */
function layers(canvas: Canvas, crest: (x: number, y: number, wide: number) => string): string {
  const { width, height, hue, chance } = canvas;
  return steps(3)
    .map((layer) => {
      const y = height * (0.56 + layer * 0.14);
      const wide = width / (2 + Math.round(chance() * 2));
      const start = -chance() * wide;
      const edge = steps(8)
        .map((i) => crest(start + i * wide, y, wide))
        .join('');
      const fill = hsl(hue + 14 - layer * 14, 58, 34 - layer * 10);
      return `<path fill="${fill}" d="M${round(start)} ${round(y)}${edge}V${height}H${round(start)}z"/>`;
    })
    .join('');
}

function scatter(canvas: Canvas, count: number, draw: (x: number, y: number) => string): string {
  const { width, height, chance } = canvas;
  return steps(count)
    .map(() => draw(round(chance() * width), round(chance() * height)))
    .join('');
}

const stars = (canvas: Canvas, count: number) =>
  scatter(
    canvas,
    count,
    (x, y) =>
      `<circle cx="${x}" cy="${y}" r="${round(0.6 + canvas.chance() * 1.8)}" fill="#fff" opacity="${round(0.3 + canvas.chance() * 0.6)}"/>`,
  );

const rays = ({ width, height, hue }: Canvas) =>
  steps(12)
    .map((i) => {
      const angle = 30 * i;
      const far = width + height;
      const half = far * 0.13;
      return `<path fill="${hsl(hue + 30, 80, 60)}" opacity=".16" transform="rotate(${angle} ${width / 2} ${height * 0.45})" d="M${width / 2} ${height * 0.45}l${-half} ${-far}h${half * 2}z"/>`;
    })
    .join('');

const city = (canvas: Canvas) =>
  steps(2)
    .map((layer) =>
      steps(12)
        .map((i) => {
          const { width, height, hue, chance } = canvas;
          const wide = width / 11;
          const tall = height * (0.18 + chance() * 0.28) * (1 - layer * 0.3);
          const x = round(i * wide - layer * 20 - 10);
          const y = round(height - tall);
          const windows = steps(5)
            .map(
              () =>
                `<rect x="${round(x + 4 + chance() * (wide - 12))}" y="${round(y + 8 + chance() * (tall - 20))}" width="4" height="6" fill="${hsl(hue + 150, 95, 72)}" opacity=".7"/>`,
            )
            .join('');
          return `<rect x="${x}" y="${y}" width="${round(wide - 3)}" height="${round(tall)}" fill="${hsl(hue, 50, 20 - layer * 9)}"/>${windows}`;
        })
        .join(''),
    )
    .join('');

const petals = (canvas: Canvas) =>
  scatter(canvas, 26, (x, y) => {
    const size = round(5 + canvas.chance() * 14);
    const turn = Math.round(canvas.chance() * 360);
    return `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${round(size * 0.45)}" fill="${hsl(canvas.hue + 20, 85, 78)}" opacity=".3" transform="rotate(${turn} ${x} ${y})"/>`;
  });

const smooth = (rise: number) => (x: number, y: number, wide: number) =>
  `Q${round(x + wide / 2)} ${round(y - rise)} ${round(x + wide)} ${round(y)}`;

const drawers: Record<Scene, (canvas: Canvas) => string> = {
  hills: (canvas) => stars(canvas, 30) + layers(canvas, smooth(70)),
  dunes: (canvas) =>
    rays(canvas) +
    layers(
      canvas,
      (x, y, wide) => `Q${round(x + wide * 0.7)} ${round(y - 80)} ${round(x + wide)} ${round(y)}`,
    ),
  waves: (canvas) =>
    layers(
      canvas,
      (x, y, wide) =>
        `q${round(wide / 4)} -44 ${round(wide / 2)} 0t${round(wide / 2)} 0L${round(x + wide)} ${round(y)}`,
    ) +
    scatter(
      canvas,
      16,
      (x, y) =>
        `<circle cx="${x}" cy="${y}" r="${round(2 + canvas.chance() * 7)}" fill="none" stroke="#fff" opacity=".35"/>`,
    ),
  peaks: (canvas) =>
    stars(canvas, 40) +
    layers(
      canvas,
      (x, y, wide) => `L${round(x + wide / 2)} ${round(y - 120)}L${round(x + wide)} ${round(y)}`,
    ),
  stars: (canvas) => stars(canvas, 90) + rays({ ...canvas, hue: canvas.hue - 40 }),
  rays,
  city: (canvas) => stars(canvas, 30) + city(canvas),
  petals: (canvas) => rays(canvas) + petals(canvas),
};

export const drawScenery = (scene: Scene, canvas: Canvas): string => drawers[scene](canvas);
