// Draws the demo's pictures as SVG: a web page for a theme, ripples for a video, a wave for a sound.
import type { ItemKind } from '../items/item.ts';

export interface Picture {
  /** Determines colours and lines: the same seed gives the same picture. */
  readonly seed: string;
  readonly motif: ItemKind;
  readonly width: number;
  readonly height: number;
}

interface Ink {
  readonly paper: string;
  readonly line: string;
  readonly accent: string;
}

const inks: readonly Ink[] = [
  { paper: '#e3f1ea', line: '#18704f', accent: '#d9a441' },
  { paper: '#e6ecf8', line: '#2f4f8f', accent: '#e08a5b' },
  { paper: '#f6ebe2', line: '#8a4b2a', accent: '#3f8f8a' },
  { paper: '#efe8f6', line: '#5b3f8c', accent: '#c9a227' },
];

/** Pseudo-random numbers from 0 to 1 that depend only on the seed (a linear congruential generator). */
function createRandom(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2147483647, 7);
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const rect = (x: number, y: number, width: number, height: number, fill: string, extra = '') =>
  `<rect x="${Math.round(x)}" y="${Math.round(y)}" width="${Math.round(width)}" ` +
  `height="${Math.round(height)}" rx="4" fill="${fill}"${extra}/>`;

function drawPage({ width, height }: Picture, ink: Ink, random: () => number): string {
  const edge = width * 0.14;
  const inner = width - 2 * edge;
  const sheet = rect(edge, height * 0.12, inner, height, '#fff');
  const title = rect(edge * 1.5, height * 0.22, inner * (0.35 + random() * 0.3), 18, ink.line);
  const picture = rect(edge * 1.5, height * 0.34, inner - edge, height * 0.2, ink.accent);
  const lines = Array.from({ length: 7 }, (_, index) =>
    rect(
      edge * 1.5,
      height * 0.6 + index * height * 0.055,
      (inner - edge) * (0.55 + random() * 0.45),
      Math.max(5, height * 0.016),
      ink.line,
      ' opacity="0.3"',
    ),
  );
  return [sheet, title, picture, ...lines].join('');
}

function drawRipples({ width, height }: Picture, ink: Ink, random: () => number): string {
  const drops = Array.from({ length: 5 }, (_, drop) => {
    const x = Math.round(width * random());
    const y = Math.round(height * random());
    const rings = [0.08, 0.16, 0.26, 0.38].map((size) => {
      const radius = Math.round(Math.min(width, height) * size * (0.6 + random()));
      const color = drop % 2 === 0 ? ink.line : ink.accent;
      return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${color}" opacity="0.14"/>`;
    });
    return rings.join('');
  });
  return drops.join('');
}

function drawWave({ width, height }: Picture, ink: Ink, random: () => number): string {
  const count = 24;
  const step = (width * 0.8) / count;
  const bars = Array.from({ length: count }, (_, index) => {
    const swell = Math.sin((Math.PI * (index + 0.5)) / count);
    const tall = height * 0.6 * swell * (0.35 + 0.65 * random());
    const color = index % 5 === 2 ? ink.accent : ink.line;
    return rect(width * 0.1 + index * step, (height - tall) / 2, step * 0.55, tall, color);
  });
  return bars.join('');
}

const motifs = { image: drawPage, video: drawRipples, audio: drawWave } as const;

export function drawPicture(picture: Picture): string {
  const { width, height, seed, motif } = picture;
  const random = createRandom(seed);
  const ink = inks[Math.floor(random() * inks.length)] as Ink;
  const size = `width="${width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${size}>`,
    `<rect ${size} fill="${ink.paper}"/>`,
    motifs[motif](picture, ink, random),
    '</svg>',
  ].join('');
}
