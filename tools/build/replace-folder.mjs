// Replaces a build folder with a new one.
import { rename, rm } from 'node:fs/promises';

/** Two builds may end at the same time. A failed replacement is repeated, and the last build remains. */
export async function replaceFolder(output, temporary) {
  const replace = async () => {
    await rm(output, { recursive: true, force: true });
    await rename(temporary, output);
  };
  await replace().catch(replace);
}
