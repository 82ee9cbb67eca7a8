// Replaces a build folder with a new one.
import { rename, rm } from 'node:fs/promises';

/**
 * Replaces the folder `output` with `temporary`. If two builds end at the same time, the replacement may
 * fail. The replacement is then repeated once, so that the build that ends last remains.
 */
export async function replaceFolder(output, temporary) {
  const replace = async () => {
    await rm(output, { recursive: true, force: true });
    await rename(temporary, output);
  };
  await replace().catch(replace);
}
