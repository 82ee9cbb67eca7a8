// Draws the pictures of a game as SVG: a square cover, a wide cover and the background of the game's page.
import { hsl, paintOf, skyOf } from './colours.ts';
import type { Game } from './game.ts';
import { drawGlyph, type GlyphName } from './glyphs.ts';
import { chanceFrom, drawScenery } from './scenery.ts';
import { element, escapeXml, glow, gradient } from './svg.ts';

export const pictureFormats = {
  square: { width: 480, height: 480 },
  wide: { width: 800, height: 450 },
  scene: { width: 1600, height: 900 },
} as const;

export const serif = "Georgia,'Times New Roman','DejaVu Serif',serif";
const sans = "Verdana,'DejaVu Sans',sans-serif";

interface Frame {
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a picture of a game. The format `scene` has only the background. The other formats are covers: a
 * large figure with two small figures, or a wheel for table games, and the name of the game below.
 */
export function drawPicture(game: Game, format: keyof typeof pictureFormats): string {
  const frame = pictureFormats[format];
  const { width, height } = frame;
  const figures = pickFigures(game);
  const content = [
    element('defs', {}, definePaints(game, figures)),
    drawBackdrop(game, frame, `${game.id}/${format}`),
    ...(format === 'scene' ? [] : drawCover(game, frame, figures)),
  ];
  const about = { role: 'img', 'aria-label': escapeXml(game.name) };
  const root = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}` };
  return element('svg', { ...root, ...about }, ...content);
}

function definePaints(game: Game, figures: readonly GlyphName[]): string {
  const sky = skyOf(game);
  return [
    gradient('sky', [
      { at: 0, colour: sky.top },
      { at: 1, colour: sky.bottom },
    ]),
    glow('glow', [
      { at: 0, colour: sky.glow, opacity: 0.85 },
      { at: 1, colour: sky.glow, opacity: 0 },
    ]),
    gradient('foot', [
      { at: 0, colour: '#000', opacity: 0 },
      { at: 1, colour: '#000', opacity: 0.78 },
    ]),
    gradient('gold', [
      { at: 0, colour: '#fffbe6' },
      { at: 0.5, colour: '#ffd76a' },
      { at: 1, colour: '#c98a1b' },
    ]),
    ...figures.map((glyph, i) => paintOf(game, glyph, `p${i}`)),
  ].join('');
}

const middleOf = ({ width, height }: Frame) => ({ x: width / 2, y: height * 0.4 });

function drawBackdrop(game: Game, frame: Frame, seed: string): string {
  const { width, height } = frame;
  const { x, y } = middleOf(frame);
  const hue = game.theme.hue + game.shift;
  return [
    element('rect', { width, height, fill: 'url(#sky)' }),
    element('circle', { cx: x, cy: y, r: height * 0.52, fill: 'url(#glow)' }),
    drawScenery(game.theme.backdrop, { width, height, hue, chance: chanceFrom(seed) }),
  ].join('');
}

function drawCover(game: Game, frame: Frame, figures: readonly GlyphName[]): string[] {
  const { width, height } = frame;
  const inner = { x: 5, y: 5, width: width - 10, height: height - 10, rx: 18 };
  const edge = { stroke: skyOf(game).glow, 'stroke-opacity': '.5', 'stroke-width': 4 };
  return [
    game.category === 'table' ? drawWheel(frame) : placeFigures(figures, frame),
    element('rect', { y: height * 0.58, width, height: height * 0.42, fill: 'url(#foot)' }),
    drawTitle(game, frame),
    element('rect', { ...inner, ...edge, fill: 'none' }),
  ];
}

function pickFigures(game: Game): GlyphName[] {
  const { glyphs } = game.theme;
  const first = Math.abs(game.shift) % glyphs.length;
  return [0, 1, 2].map((i) => glyphs[(first + i) % glyphs.length] as GlyphName);
}

function placeFigures(figures: readonly GlyphName[], frame: Frame): string {
  const { height } = frame;
  const { x, y } = middleOf(frame);
  const place = (index: number, at: { x: number; y: number; size: number; turn: number }) => {
    const move = `translate(${at.x - at.size / 2} ${at.y - at.size / 2})`;
    const transform = `${move} scale(${at.size / 100}) rotate(${at.turn} 50 50)`;
    return element('g', { transform }, drawGlyph(figures[index] as GlyphName, `p${index}`));
  };
  const small = { y: y + height * 0.1, size: height * 0.3 };
  return [
    place(1, { ...small, x: x - height * 0.36, turn: -14 }),
    place(2, { ...small, x: x + height * 0.36, turn: 14 }),
    place(0, { x, y, size: height * 0.5, turn: 0 }),
  ].join('');
}

function drawWheel(frame: Frame): string {
  const { x, y } = middleOf(frame);
  const radius = frame.height * 0.33;
  const half = Math.PI / 37;
  const [aside, up] = [radius * Math.sin(half), radius * Math.cos(half)];
  const d = `M0 0L${-aside} ${-up}A${radius} ${radius} 0 0 1 ${aside} ${-up}z`;
  const slices = Array.from({ length: 37 }, (_, i) => {
    const fill = i === 0 ? hsl(150, 80, 32) : i % 2 === 1 ? hsl(352, 78, 44) : hsl(230, 22, 12);
    return element('path', { fill, transform: `rotate(${(360 / 37) * i})`, d });
  });
  const gold = (width: number) => ({ stroke: 'url(#gold)', 'stroke-width': width });
  const arm = radius * 0.5;
  const ball = { cx: radius * 0.6, cy: -radius * 0.52, r: radius * 0.06, fill: '#fff' };
  return element(
    'g',
    { transform: `translate(${x} ${y})` },
    element('circle', { r: radius * 1.12, fill: '#3d2412', ...gold(6) }),
    ...slices,
    element('circle', { r: radius * 0.62, fill: '#5a3419', ...gold(4) }),
    element('circle', { r: radius * 0.2, fill: 'url(#gold)' }),
    element('path', { d: `M0 ${-arm}V${arm}M${-arm} 0H${arm}`, ...gold(8), fill: 'none' }),
    element('circle', ball),
  );
}

function drawTitle(game: Game, { width, height }: Frame): string {
  const [first = '', ...rest] = game.name.split(' ');
  const lines = width > height ? [game.name] : [first, rest.join(' ')];
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(height * 0.15, (width * 1.55) / longest);
  const middle = { x: width / 2, 'text-anchor': 'middle' };
  const rows = lines.map((line, i) => {
    const y = height * 0.9 - (lines.length - 1 - i) * size * 0.98;
    return element('text', { ...middle, y }, escapeXml(line));
  });
  const letters = { 'font-family': serif, 'font-weight': 700, 'font-size': size };
  const studio = { 'font-family': sans, 'font-size': 13, 'letter-spacing': 2 };
  const faint = { fill: '#fff', 'fill-opacity': '.75' };
  return [
    element('g', { ...letters, ...outline(size / 9), fill: 'url(#gold)' }, ...rows),
    element(
      'text',
      { ...middle, ...studio, ...faint, y: height * 0.96 },
      escapeXml(game.studio.toUpperCase()),
    ),
  ].join('');
}

/** A dark outline, so that letters are readable on any background. */
export const outline = (width: number) => ({
  stroke: '#1a0d05',
  'stroke-width': width,
  'stroke-linejoin': 'round',
  'paint-order': 'stroke',
});
