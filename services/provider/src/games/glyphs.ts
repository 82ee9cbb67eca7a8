// The figures on reels and pictures by name, each drawn in colour with shade and shine.
import { natureGlyphs } from './glyphs-of-nature.ts';
import { thingGlyphs } from './glyphs-of-things.ts';
import type { Glyph } from './svg.ts';

const glyphs = { ...natureGlyphs, ...thingGlyphs };

export type GlyphName = keyof typeof glyphs;

/** Draws a figure and fills it with the gradient `paint`, which the surrounding picture must define. */
export function drawGlyph(name: GlyphName, paint: string): string {
  const { body, shade = '', shine = '' }: Glyph = glyphs[name];
  return (
    `<g fill="url(#${paint})" stroke="#000" stroke-opacity=".35" stroke-width="2" ` +
    `stroke-linejoin="round">${body}</g>` +
    `<g fill="#000" fill-opacity=".18">${shade}</g><g fill="#fff" fill-opacity=".5">${shine}</g>`
  );
}
