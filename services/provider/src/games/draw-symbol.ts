// Draws the symbols of a game's reels: a wild symbol, the figures of its theme, and letters.
import { hsl, paintOf } from './colours.ts';
import { outline, serif } from './draw-picture.ts';
import type { Game } from './game.ts';
import { drawGlyph } from './glyphs.ts';
import { element, gradient } from './svg.ts';

const letters = ['A', 'K', 'Q'];
const letterHues = [8, 212, 142];

/** The number of symbols on a game's reels; 0 for games without reels. */
export const countSymbols = (game: Game): number =>
  game.machine.kind === 'slot' ? game.machine.model.pays.length : 0;

/** Symbol 0 is the wild symbol. */
export function drawSymbol(game: Game, index: number): string {
  const glyph = game.theme.glyphs[index - 1];
  if (index === 0) {
    const d = 'M-4 58h108l-8 12 8 12H-4l8-12z';
    const ribbon = { d, fill: '#a3122b', stroke: '#ffd76a', 'stroke-width': 2.5 };
    return frame(
      paintOf(game, 'star', 'p'),
      drawGlyph('star', 'p'),
      element('path', ribbon),
      write('WILD', { size: 27, y: 79, fill: '#fff3c4' }),
    );
  }
  if (glyph) return frame(paintOf(game, glyph, 'p'), drawGlyph(glyph, 'p'));
  const at = index - 1 - game.theme.glyphs.length;
  const hue = letterHues[at] ?? 0;
  const paint = gradient('p', [
    { at: 0, colour: hsl(hue, 90, 84) },
    { at: 0.5, colour: hsl(hue, 80, 60) },
    { at: 1, colour: hsl(hue, 80, 38) },
  ]);
  return frame(paint, write(letters[at] ?? '?', { size: 92, y: 82, fill: 'url(#p)' }));
}

function frame(paint: string, ...content: string[]): string {
  const drop = { dx: 0, dy: 3, stdDeviation: 3, 'flood-opacity': '.55' };
  const room = { id: 's', x: '-20%', y: '-20%', width: '140%', height: '150%' };
  const shadow = element('filter', room, element('feDropShadow', drop));
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: '-6 -6 112 112' },
    element('defs', {}, paint, shadow),
    element('g', { filter: 'url(#s)' }, ...content),
  );
}

function write(word: string, look: { size: number; y: number; fill: string }): string {
  const { size, y, fill } = look;
  const letter = { 'font-family': serif, 'font-weight': 700, 'font-size': size };
  const place = { x: 50, y, 'text-anchor': 'middle' };
  return element('text', { ...place, ...letter, ...outline(size / 14), fill }, word);
}
