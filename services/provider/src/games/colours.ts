// The colours of a game. The hues of the sky come from the theme and are shifted for each game.
import type { Game } from './game.ts';
import type { GlyphName } from './glyphs.ts';
import { gradient } from './svg.ts';

const naturalHues: Partial<Record<GlyphName, number>> = {
  moon: 48,
  pumpkin: 26,
  wheat: 44,
  acorn: 24,
  anchor: 212,
  shell: 340,
  fish: 188,
  drop: 202,
  pyramid: 40,
  eye: 182,
  sun: 44,
  cactus: 128,
  crystal: 190,
  mountain: 224,
  snowflake: 200,
  feather: 168,
  rocket: 2,
  planet: 282,
  comet: 30,
  star: 50,
  heart: 346,
  candy: 318,
  flower: 330,
  cherry: 354,
  crown: 46,
  shield: 216,
  sword: 204,
  key: 42,
  clover: 134,
  horseshoe: 226,
  coin: 45,
  mushroom: 6,
  gem: 168,
  note: 292,
  bell: 42,
  mask: 304,
  flame: 18,
  lantern: 8,
  leaf: 108,
  seven: 356,
  grapes: 276,
  plum: 300,
  lemon: 54,
};

export const hsl = (hue: number, saturation: number, light: number) =>
  `hsl(${((Math.round(hue) % 360) + 360) % 360} ${saturation}% ${light}%)`;

export function skyOf(game: Game): { top: string; bottom: string; glow: string; ground: string } {
  const hue = game.theme.hue + game.shift;
  return {
    top: hsl(hue, 62, 16),
    bottom: hsl(hue + 34, 70, 42),
    glow: hsl(game.theme.accent + game.shift / 2, 95, 68),
    ground: hsl(hue - 18, 55, 14),
  };
}

/** A gradient for a figure. A figure without a natural colour gets the accent colour of the game. */
export function paintOf(game: Game, glyph: GlyphName | undefined, id: string): string {
  const hue = (glyph && naturalHues[glyph]) ?? game.theme.accent + game.shift;
  const stops = [
    { at: 0, colour: hsl(hue + 8, 96, 74) },
    { at: 0.55, colour: hsl(hue, 88, 54) },
    { at: 1, colour: hsl(hue - 14, 82, 36) },
  ];
  return gradient(id, stops, 0.35);
}
