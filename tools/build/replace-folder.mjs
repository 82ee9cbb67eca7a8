// Replaces a build folder with a new one.
import { rename, rm } from 'node:fs/promises';

/**
 * Two builds may end at the same time. A failed replacement is repeated, so that the build that ends last
 * remains.
 */
export async function replaceFolder(output, temporary) {
  const replace = async () => {
    await rm(output, { recursive: true, force: true });
    await rename(temporary, output);
  };
  await replace().catch(replace);
}
