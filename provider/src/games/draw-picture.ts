// A game's cover, the scene behind its reels and the figures on them, as SVG of our own.
import { hsl, paintOf, skyOf } from './colours.ts';
import type { Game } from './game.ts';
import { drawGlyph, type GlyphName } from './glyphs.ts';
import { chanceFrom, drawScenery } from './scenery.ts';

export const pictureFormats = {
  square: { width: 480, height: 480 },
  wide: { width: 800, height: 450 },
  scene: { width: 1600, height: 900 },
} as const;

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const serif = "Georgia,'Times New Roman','DejaVu Serif',serif";

/** The best paid figure large, two more behind it, the name over all. */
export function drawPicture(game: Game, format: keyof typeof pictureFormats): string {
  const { width, height } = pictureFormats[format];
  const sky = skyOf(game);
  const hue = game.theme.hue + game.shift;
  const chance = chanceFrom(`${game.id}/${format}`);
  const figures = pickFigures(game);
  const middle = { x: width / 2, y: height * 0.4 };
  const defs = [
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${sky.top}"/><stop offset="1" stop-color="${sky.bottom}"/></linearGradient>`,
    `<radialGradient id="glow"><stop stop-color="${sky.glow}" stop-opacity=".85"/><stop offset="1" stop-color="${sky.glow}" stop-opacity="0"/></radialGradient>`,
    `<linearGradient id="foot" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".78"/></linearGradient>`,
    `<linearGradient id="gold" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#fffbe6"/><stop offset=".5" stop-color="#ffd76a"/><stop offset="1" stop-color="#c98a1b"/></linearGradient>`,
    ...figures.map((glyph, i) => paintOf(game, glyph, `p${i}`)),
  ];
  const scene = [
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    `<circle cx="${middle.x}" cy="${middle.y}" r="${height * 0.52}" fill="url(#glow)"/>`,
    drawScenery(game.theme.scene, { width, height, hue, chance }),
  ];
  const cover = () => [
    game.category === 'table'
      ? drawWheel(middle, height * 0.33)
      : placeFigures(figures, middle, height),
    `<rect y="${height * 0.58}" width="${width}" height="${height * 0.42}" fill="url(#foot)"/>`,
    drawTitle(game, width, height),
    `<rect x="5" y="5" width="${width - 10}" height="${height - 10}" rx="18" fill="none" stroke="${sky.glow}" stroke-opacity=".5" stroke-width="4"/>`,
  ];
  const parts = format === 'scene' ? scene : [...scene, ...cover()];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(game.name)}">` +
    `<defs>${defs.join('')}</defs>${parts.join('')}</svg>`
  );
}

function pickFigures(game: Game): GlyphName[] {
  const { glyphs } = game.theme;
  const first = Math.abs(game.shift) % glyphs.length;
  return [0, 1, 2].map((i) => glyphs[(first + i) % glyphs.length] as GlyphName);
}

function placeFigures(
  figures: GlyphName[],
  middle: { x: number; y: number },
  height: number,
): string {
  const place = (index: number, x: number, y: number, size: number, turn: number) =>
    `<g transform="translate(${x - size / 2} ${y - size / 2}) scale(${size / 100}) rotate(${turn} 50 50)">${drawGlyph(figures[index] as GlyphName, `p${index}`)}</g>`;
  const aside = height * 0.36;
  return [
    place(1, middle.x - aside, middle.y + height * 0.1, height * 0.3, -14),
    place(2, middle.x + aside, middle.y + height * 0.1, height * 0.3, 14),
    place(0, middle.x, middle.y, height * 0.5, 0),
  ].join('');
}

function drawWheel(middle: { x: number; y: number }, radius: number): string {
  const slices = Array.from({ length: 37 }, (_, i) => {
    const half = Math.PI / 37;
    const x = radius * Math.sin(half);
    const y = radius * Math.cos(half);
    const fill = i === 0 ? hsl(150, 80, 32) : i % 2 === 1 ? hsl(352, 78, 44) : hsl(230, 22, 12);
    return `<path fill="${fill}" transform="rotate(${(360 / 37) * i})" d="M0 0L${-x} ${-y}A${radius} ${radius} 0 0 1 ${x} ${-y}z"/>`;
  });
  return (
    `<g transform="translate(${middle.x} ${middle.y})"><circle r="${radius * 1.12}" fill="#3d2412" stroke="url(#gold)" stroke-width="6"/>` +
    `${slices.join('')}<circle r="${radius * 0.62}" fill="#5a3419" stroke="url(#gold)" stroke-width="4"/>` +
    `<circle r="${radius * 0.2}" fill="url(#gold)"/><path d="M0 ${-radius * 0.5}V${radius * 0.5}M${-radius * 0.5} 0H${radius * 0.5}" stroke="url(#gold)" stroke-width="8" stroke-linecap="round"/>` +
    `<circle cx="${radius * 0.6}" cy="${-radius * 0.52}" r="${radius * 0.06}" fill="#fff"/></g>`
  );
}

function drawTitle(game: Game, width: number, height: number): string {
  const [first = '', ...rest] = game.name.split(' ');
  const lines = width > height ? [game.name] : [first, rest.join(' ')];
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(height * 0.15, (width * 1.55) / longest);
  const rowsOf = lines.map((line, i) => {
    const y = height * 0.9 - (lines.length - 1 - i) * size * 0.98;
    return `<text x="${width / 2}" y="${y.toFixed(1)}">${escapeXml(line)}</text>`;
  });
  return (
    `<g font-family="${serif}" font-weight="700" font-size="${size.toFixed(1)}" text-anchor="middle" fill="url(#gold)" ` +
    `stroke="#1a0d05" stroke-width="${(size / 9).toFixed(1)}" stroke-linejoin="round" paint-order="stroke">${rowsOf.join('')}</g>` +
    `<text x="${width / 2}" y="${height * 0.96}" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="13" letter-spacing="2" text-anchor="middle" fill="#fff" fill-opacity=".75">${escapeXml(game.studio.toUpperCase())}</text>`
  );
}

const letters = ['A', 'K', 'Q'];
const letterHues = [8, 212, 142];

/** How many figures a game's reels have; none where it has no reels. */
export const countSymbols = (game: Game): number =>
  game.machine.kind === 'slot' ? game.machine.model.pays.length : 0;

/** Figure 0 is the wild one; behind the theme's own come letters. */
export function drawSymbol(game: Game, index: number): string {
  const glyph = game.theme.glyphs[index - 1];
  const frame = (defs: string, content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 112"><defs>${defs}` +
    `<filter id="s" x="-20%" y="-20%" width="140%" height="150%"><feDropShadow dx="0" dy="3" stdDeviation="3" flood-opacity=".55"/></filter></defs><g filter="url(#s)">${content}</g></svg>`;
  const text = (word: string, size: number, y: number, fill: string) =>
    `<text x="50" y="${y}" text-anchor="middle" font-family="${serif}" font-weight="700" font-size="${size}" fill="${fill}" stroke="#1a0d05" stroke-width="${size / 14}" stroke-linejoin="round" paint-order="stroke">${word}</text>`;
  if (index === 0) {
    const ribbon =
      '<path d="M-4 58h108l-8 12 8 12H-4l8-12z" fill="#a3122b" stroke="#ffd76a" stroke-width="2.5"/>';
    const word = text('WILD', 27, 79, '#fff3c4');
    return frame(paintOf(game, 'star', 'p'), drawGlyph('star', 'p') + ribbon + word);
  }
  if (glyph) return frame(paintOf(game, glyph, 'p'), drawGlyph(glyph, 'p'));
  const at = index - 1 - game.theme.glyphs.length;
  const hue = letterHues[at] ?? 0;
  const paint = `<linearGradient id="p" x1="0" y1="0" x2="0" y2="1"><stop stop-color="${hsl(hue, 90, 84)}"/><stop offset=".5" stop-color="${hsl(hue, 80, 60)}"/><stop offset="1" stop-color="${hsl(hue, 80, 38)}"/></linearGradient>`;
  return frame(paint, text(letters[at] ?? '?', 92, 82, 'url(#p)'));
}
