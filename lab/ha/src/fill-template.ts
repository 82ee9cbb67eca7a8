// Fills in the templates of deploy/ha.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export async function fillTemplate(
  name: string,
  values: Readonly<Record<string, string | number>>,
): Promise<string> {
  const text = await readFile(fileURLToPath(new URL(`../../../deploy/ha/${name}`, import.meta.url)), 'utf8');
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (_, word: string) => {
    const value = values[word];
    if (value === undefined) throw new Error(`${name} needs a value for ${word}`);
    return String(value);
  });
}
