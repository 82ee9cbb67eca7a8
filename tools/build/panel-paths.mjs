// Lists the paths of a panel's pages, for the build and for the development server.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';

/** Loads the exports of a file that contains only constants and imports nothing. */
async function readConstants(file) {
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** The paths of the panel's router and of the pages outside the router. A parameter is written as `$name`. */
export async function readPanelPaths(root, panel) {
  const { sharedPaths } = await readConstants(join(root, 'libs/ui/src/shared-paths.ts'));
  const { paths, ownPages } = await readConstants(join(panel, 'src/paths.ts'));
  return Object.values({ ...sharedPaths, ...paths, ...ownPages });
}
