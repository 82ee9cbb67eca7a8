// What a check needs of the machine: programs, and the rights of root.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (await isThere(path)) return path;
  }
  return undefined;
}

/** For a fault's `missing`: the sentence of the scorecard, or undefined where all is there. */
export function needs(wanted: { programs?: readonly string[]; root?: boolean; linux?: boolean }) {
  return async (): Promise<string | undefined> => {
    const lacks: string[] = [];
    for (const name of wanted.programs ?? []) {
      if ((await findProgram(name)) === undefined) lacks.push(name);
    }
    if (wanted.linux && process.platform !== 'linux') lacks.push('Linux');
    if (wanted.root && process.geteuid?.() !== 0) lacks.push('root');
    return lacks.length > 0 ? `needs ${lacks.join(', ')}` : undefined;
  };
}
