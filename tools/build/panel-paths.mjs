// Lists the addresses of a panel's pages, for the build and for the development server.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';

/** The exports of a file of constants. Such a file imports nothing, so it can run by itself. */
async function readConstants(file) {
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** The same lists that the panel's router uses; a parameter is written `$name`. */
export async function readPanelPaths(root, panel) {
  const { sharedPaths } = await readConstants(join(root, 'libs/ui/src/shared-paths.ts'));
  const { paths } = await readConstants(join(panel, 'src/paths.ts'));
  return Object.values({ ...sharedPaths, ...paths });
}
