// Fills the templates of deploy/ha with the addresses on this machine.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export async function fillTemplate(
  name: string,
  values: Readonly<Record<string, string | number>>,
): Promise<string> {
  const text = await readFile(
    fileURLToPath(new URL(`../../../deploy/ha/${name}`, import.meta.url)),
    'utf8',
  );
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (_, word: string) => {
    const value = values[word];
    if (value === undefined) throw new Error(`${name} asks for ${word}`);
    return String(value);
  });
}

/** NAME=value lines, as systemd and compose read them. */
export function parseEnv(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
