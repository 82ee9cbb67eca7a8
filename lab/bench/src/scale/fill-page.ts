// Puts the figures of `npm run scale` between their marks in docs/operate/scale.md.
import { fileURLToPath } from 'node:url';

export const scalePage = fileURLToPath(
  new URL('../../../../docs/operate/scale.md', import.meta.url),
);

/** A mark without a section, or a section without its one mark, is an error: nothing grows old unseen. */
export function fillPage(page: string, sections: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(sections));
  const marks = /(<!-- npm run scale -- --write: (\w+) -->\n)(?:.|\n)*?(\n<!-- end -->)/g;
  const filled = page.replace(marks, (_, start: string, name: string, end: string) => {
    if (!left.delete(name))
      throw new Error(`docs/operate/scale.md has no place for ${name}, or two`);
    return `${start}${sections[name]}${end}`;
  });
  if (left.size > 0)
    throw new Error(`docs/operate/scale.md has no mark for ${[...left].join(', ')}`);
  return filled;
}
